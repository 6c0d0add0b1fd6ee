import type { Endpoint } from "../model/endpoint.ts";
import type { ErrorType } from "../model/exchange.ts";
import type { Link } from "../model/link.ts";
import type { Span, Stretch, Wait } from "../model/phases.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/* The timeline: its rows, and the minimap above them. */

/** A range of time, both bounds included. */
export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

export interface TimelineRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  /** `null` if the exchange is in flight. */
  readonly endTime: Instant | null;
  /** When the session ended, if the exchange was still in flight then; else `null`. */
  readonly sessionEnd: Instant | null;
  readonly method: string;
  readonly origin: string;
  /** The first 512 characters of the target. */
  readonly target: string;
  /** The operation as in `EndpointParts`; also `null` while the exchange is in flight. */
  readonly operation: string | null;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly latency: Milliseconds | null;
  /** The phases that happened. A reused connection has no DNS, Connect and TLS. */
  readonly spans: readonly Span[];
  /** The wait before the first phase. */
  readonly wait: Wait | null;
  /** When conditions slowed it, in ms after its start. */
  readonly slowed: readonly Stretch[];
  readonly reused: boolean | null;
  /** The server connection, and the exchange's stream on it. `null` as in `Exchange`. */
  readonly connection: number | null;
  readonly stream: number | null;
  /** The client connection, and the exchange's stream on it. */
  readonly clientConnection: number | null;
  readonly clientStream: number | null;
  readonly slow: boolean;
  readonly client: string;
  /** The first exchange of the parallel group; `null` if this exchange overlaps no other. */
  readonly group: ExchangeId | null;
  /**
   * The index of the exchange's chain, the same for all exchanges of the chain; `null` if the exchange is in no listed
   * chain.
   */
  readonly chain: number | null;
  /** The previous exchange in `chain`; `null` for the chain's first exchange, and outside chains. */
  readonly follows: {
    readonly from: ExchangeId;
    readonly kind: Link["kind"];
    readonly gap: Milliseconds;
  } | null;
}

export interface Density {
  /** `null` if nothing was captured. */
  readonly start: Instant | null;
  /** When the last slice ends. */
  readonly end: Instant | null;
  readonly sliceLength: Milliseconds;
  /** The slices in order, as many as requested. */
  readonly slices: readonly { readonly requests: number; readonly errors: number }[];
  /** The number of exchanges in the range that match the filter. */
  readonly matched: number;
  /** Bounds of the whole session, for the brush. */
  readonly whole: TimeRange | null;
  /** From the first start to the last end of the exchanges that match. An exchange in flight ends with the session. */
  readonly matching: TimeRange | null;
  /** Whether the session has ended, so that it gets no more exchanges. */
  readonly ended: boolean;
}

/**
 * Requests in order. Each except the first is proven to need the request before it, unless it `isPossible`. Of all
 * requests that depend on the first one, the path's last request ended last.
 */
export interface CriticalPathRecord {
  readonly client: string;
  /** The origin of the first request. */
  readonly origin: string;
  readonly isPage: boolean;
  readonly start: Instant;
  readonly end: Instant;
  /**
   * The position of this page load among the page loads of the session that match the filter; `null` if the path
   * belongs to no page. `position` counts from 1, by start. `earlier` and `later`: the first requests of the
   * neighbouring loads. `latest`: the first request of the load that began last. `longestOf`: where no other load has a
   * longer path; `null` if an exchange chose the load. Loads without a critical path do not count.
   */
  readonly load: {
    readonly position: number;
    readonly count: number;
    readonly earlier: ExchangeId | null;
    readonly later: ExchangeId | null;
    readonly latest: ExchangeId;
    readonly longestOf: "session" | "range" | null;
  } | null;
  /** The parts of the path, in order and without gaps: the sum of their lengths is `end` minus `start`. */
  readonly parts: readonly CriticalPathPart[];
  /** The page's moments that a HAR file names; empty without a page. */
  readonly marks: readonly PageMark[];
  /**
   * A request that could have been sent sooner: the response of `namedBy` contained the request's URL. Sending the
   * request right after that response saves at most `by`. `null` if no such delay is long enough to matter.
   */
  readonly sooner: { readonly request: PathRequest; readonly namedBy: PathRequest; readonly by: Milliseconds } | null;
}

/** A moment of a page load, by the name in its HAR file: `onContentLoad`, `onLoad`, `_largestContentfulPaint`. */
export interface PageMark {
  readonly name: string;
  readonly at: Instant;
}

export type CriticalPathPart =
  /**
   * A request, until its end or until the start of the next request on the path. `isPossible`: that it waited for the
   * request before is possible, not proven.
   */
  | {
      readonly kind: "exchange";
      readonly request: PathRequest;
      readonly from: Instant;
      readonly to: Instant;
      readonly isPossible: boolean;
    }
  /**
   * The time until the next request on the path. `idle`: how long the client had no request in flight. `longest`: the
   * request that was in flight for more than half of the gap; `null` if none was.
   */
  | {
      readonly kind: "gap";
      readonly from: Instant;
      readonly to: Instant;
      readonly idle: Milliseconds;
      readonly longest: PathRequest | null;
    };

export interface PathRequest {
  readonly id: ExchangeId;
  readonly method: string;
  /** The first 512 characters of the target. */
  readonly target: string;
  readonly endpoint: Endpoint;
}
