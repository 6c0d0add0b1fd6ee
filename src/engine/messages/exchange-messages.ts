import type { MessageKind, Side, TlsFacts, TlsParameters } from "../capture/event.ts";
import type { Annotation } from "../model/annotation.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Phases, Span, Stretch, Wait } from "../model/phases.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";
import type { FindingName } from "./finding-messages.ts";
import type { EndpointStats, SlowRecord } from "./latency-messages.ts";

/* The full detail of one exchange: its inspector, bodies and messages. */

export interface MessageRecord {
  /** The message's index in its exchange, from 0. */
  readonly index: number;
  readonly at: Instant;
  readonly side: Side;
  readonly kind: MessageKind;
  readonly size: Bytes;
  /** The message's text, or hex pairs if it is binary; at most the first 512 characters. */
  readonly preview: string;
  readonly cut: boolean;
}

export interface BodyFacts {
  /** Bytes as transferred. */
  readonly size: Bytes;
  /** Bytes of the body that are stored. */
  readonly kept: Bytes;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
}

/** Other exchanges that used the same connection while an exchange ran. */
export interface Sharing {
  /** The largest number of other exchanges that ran on the connection at one time. */
  readonly others: number;
  /** Whether `others` may be too low, because not every exchange of a long session is examined. */
  readonly more: boolean;
  /** The other exchange for which the connection was opened; `null` if it is unknown, or if it was this exchange. */
  readonly openedBy: { readonly method: string; readonly target: string } | null;
}

export interface ExchangeDetail {
  readonly exchange: Exchange;
  readonly phases: Phases;
  readonly spans: readonly Span[];
  readonly latency: Milliseconds | null;
  /** As in `TrafficRecord`. */
  readonly failedAfter: Milliseconds | null;
  readonly upload: Milliseconds | null;
  readonly requestHead: string;
  readonly responseHead: string | null;
  readonly requestBody: BodyFacts;
  readonly responseBody: BodyFacts;
  readonly slow: SlowRecord | null;
  readonly oversized: boolean;
  /** The findings that cover the exchange, the costliest first. */
  readonly findings: readonly FindingName[];
  /** The endpoint's row, for the percentile ticks of the Timing tab; `null` if the endpoint has none. */
  readonly stats: EndpointStats | null;
  /** What TLS agreed on with the client; `null` without TLS, and if it is unknown. */
  readonly clientTls: TlsParameters | null;
  readonly server: { readonly address: string; readonly tls: TlsFacts | null } | null;
  /** How the server connection was shared; `null` if no connection carried the exchange. */
  readonly serverSharing: Sharing | null;
  /** How the client connection was shared; `null` if it is unknown. */
  readonly clientSharing: Sharing | null;
  readonly wait: Wait | null;
  /** As in `TimelineRecord`. */
  readonly slowed: readonly Stretch[];
  readonly messages: number;
  readonly annotation: Annotation;
  /** The number of the unit of an experiment; `null` outside experiments. */
  readonly unit: number | null;
}

export interface BodyPiece {
  /** The requested bytes, from `from` on. */
  readonly base64: string;
  readonly from: number;
  /** The stored size of the whole body, in the requested form. */
  readonly total: Bytes;
  /** Why the piece is incomplete or not decoded, in words; `null` if it is complete and decoded. */
  readonly problem: string | null;
}

/** A call to a language model, as the inspector shows it. Names are captured text. */
export interface ModelCallRecord {
  readonly model: string | null;
  /** Whether the answer came as events. */
  readonly isStream: boolean;
  /** From the start of the request to the first event with generated content; `null` if unknown. */
  readonly firstToken: Milliseconds | null;
  /** Tokens per second; `isAbout`: counted from events. `null` if unknown. */
  readonly rate: { readonly perSecond: number; readonly isAbout: boolean } | null;
  /** The longest pause between two tokens; `null` with fewer than two tokens. */
  readonly longestPause: Milliseconds | null;
  /** How many pauses are far above the usual one. */
  readonly stalls: number;
  /** Tokens; `null` if the response does not count them. `input` includes `cached`. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  readonly tools: readonly string[];
  readonly finish: string | null;
  /** The name of the error that ended the answer; `null` without one. */
  readonly error: string | null;
  /** Whether something between held the answer back; `unclear`: too few events to tell. `null` if nothing did. */
  readonly buffered: "certain" | "likely" | "unclear" | null;
}

/**
 * The forms in which a request can be copied: a command line (`curl` is for sh, bash and zsh), code, or a HAR file with
 * only this exchange.
 */
export const COPIED_AS = [
  "curl",
  "curl-fish",
  "curl-powershell",
  "curl-cmd",
  "httpie",
  "http-file",
  "powershell",
  "fetch",
  "python",
  "go",
  "java",
  "har",
] as const;

export type CopiedAs = (typeof COPIED_AS)[number];

/** docs/specification.md, `--table`: the tables that can be exported. */
export const EXPORT_TABLES = ["latency", "slow", "payload", "chains", "groups", "repeats", "links", "trends"] as const;

export type ExportTable = (typeof EXPORT_TABLES)[number];
