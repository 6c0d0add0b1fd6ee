import type { OperationEndpoint } from "./finding.ts";
import type { Gain } from "./load-gain.ts";
import type { ExchangeId, Instant, Milliseconds } from "./units.ts";

/**
 * What a request's time was spent on: its phases, `upload` (sending a body of 16 KB or more, else part of `ttfb`),
 * `queued` (the wait for a connection or a stream), `browser` (the browser's own queue), `slowed` (conditions that the
 * user set), `held` (an experiment), `other` (known to no phase).
 */
export const WAIT_PHASES = [
  "dns",
  "connect",
  "tls",
  "upload",
  "ttfb",
  "transfer",
  "queued",
  "browser",
  "weir",
  "slowed",
  "held",
  "other",
] as const;

export type WaitPhase = (typeof WAIT_PHASES)[number];

/** The name of each phase beside its time. */
export const WAIT_PHASE_NAMES: Readonly<Record<WaitPhase, string>> = {
  dns: "DNS",
  connect: "Connect",
  tls: "TLS",
  upload: "upload",
  ttfb: "server",
  transfer: "body",
  queued: "queueing",
  browser: "waiting in the browser",
  weir: "Weir",
  slowed: "conditions",
  held: "experiment",
  other: "no known phase",
};

/** Waiting that one phase of one endpoint's requests held. */
export interface WaitPart {
  readonly endpoint: OperationEndpoint;
  readonly phase: WaitPhase;
  readonly time: Milliseconds;
  /** The share of all waiting, 0 to 1. */
  readonly share: number;
  /** How many requests held this time. */
  readonly requests: number;
}

/** Phases that depend on the server's address, not on the endpoint: their usual time is that of the origin. */
export const SET_UP_PHASES: ReadonlySet<WaitPhase> = new Set(["queued", "browser", "dns", "connect", "tls"]);

export interface SlowestRequest {
  readonly exchange: ExchangeId;
  readonly endpoint: OperationEndpoint;
  /** From the start to the end, with a browser's own queue; for a failed request, until it failed. */
  readonly latency: Milliseconds;
  /** The phase that took the longest. */
  readonly phase: WaitPhase;
  readonly phaseTime: Milliseconds;
  /** The median of this phase over the endpoint's requests, else the origin's others; `null` if there are too few. */
  readonly usual: Milliseconds | null;
  /** Whose requests `usual` is of. */
  readonly usualOf: "endpoint" | "origin" | null;
}

/** One exchange of a page load's critical path. */
export interface LoadStep {
  readonly exchange: ExchangeId;
  readonly endpoint: OperationEndpoint;
  /** From the end of the previous step to this exchange's start. */
  readonly gap: Milliseconds;
  /** The endpoint of the request that was in flight for more than half of `gap`; `null` if none was. */
  readonly meanwhile: OperationEndpoint | null;
  /** That it waited for the previous step is possible, not proven; absent if it is proven. */
  readonly isPossible?: true;
  /** From the exchange's start to its end, or to the start of the next step. */
  readonly time: Milliseconds;
  /** The phase that took the longest part of `time`. */
  readonly phase: WaitPhase;
  /** How much sooner the load would end if this exchange took no time; absent if it was not calculated. */
  readonly ifGone?: Gain;
  /**
   * Of the first of a run of steps to one endpoint (where/step-runs.ts): how much sooner the load would end if the
   * whole run took no time. Absent if it was not calculated.
   */
  readonly ifRunGone?: Gain;
}

/** A page load: from its document to its last response, or to the page's load event where the file names it. */
export interface PageLoad {
  readonly start: Instant;
  readonly duration: Milliseconds;
  /** The critical path, at least the document. It ends at the last response that is proven to need the document. */
  readonly path: readonly LoadStep[];
}

/** Where the time went: what the clients' waiting was spent on. All times are in ms. */
export interface Where {
  /**
   * The time in which clients waited for a response with an end, summed over clients. Streams, WebSockets and long
   * polls are left out.
   */
  readonly waiting: Milliseconds;
  /** The parts of `waiting`, the largest first. They add up to it, in whole microseconds. */
  readonly parts: readonly WaitPart[];
  /** At most 5, the longest first. */
  readonly slowest: readonly SlowestRequest[];
  /** At most 50, the longest; by start. */
  readonly loads: readonly PageLoad[];
  /** What the source cannot tell, as sentences. */
  readonly limits: readonly string[];
}

export const NO_WAITING: Where = Object.freeze({
  waiting: 0,
  parts: Object.freeze([]),
  slowest: Object.freeze([]),
  loads: Object.freeze([]),
  limits: Object.freeze([]),
});
