import type { ErrorType } from "../model/exchange.ts";
import type { ChainEdge } from "../model/findings.ts";
import type { Span } from "../model/span.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";

/* The timeline: its rows, and the strip above them. */

/** From the one to the other, both included. */
export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

export interface TimelineRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  /** `null` while in flight. */
  readonly endTime: Instant | null;
  /** When the session ended in which it is in flight; `null`: it goes on. */
  readonly sessionEnd: Instant | null;
  readonly method: string;
  readonly origin: string;
  /** At most its first 512 characters. */
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly latency: Milliseconds | null;
  /** Phases that happened. DNS, connect and TLS are absent on a reused connection. */
  readonly spans: readonly Span[];
  /** Before the first of them. */
  readonly wait: Wait | null;
  readonly reused: boolean | null;
  /** The connection to the server, and the stream of it; `null` as in an exchange. */
  readonly connection: number | null;
  readonly stream: number | null;
  /** Those of the client. */
  readonly clientConnection: number | null;
  readonly clientStream: number | null;
  readonly slow: boolean;
  readonly client: string;
  /** The parallel group it is in, named by the group's first exchange; `null` if it overlaps none. */
  readonly group: ExchangeId | null;
  /** Its place in the list of chains (0 = the longest); `null` if it is in none that is listed. */
  readonly chain: number | null;
  /** The exchange before it in that chain; `null` for the first, and outside chains. */
  readonly follows: {
    readonly from: ExchangeId;
    readonly kind: ChainEdge["kind"];
    readonly gap: Milliseconds;
  } | null;
}

export interface Density {
  /** `null`: nothing was captured. */
  readonly start: Instant | null;
  /** The end of the last slice. */
  readonly end: Instant | null;
  readonly sliceLength: Milliseconds;
  /** By start time, `slices` of them. */
  readonly slices: readonly { readonly requests: number; readonly errors: number }[];
  /** Exchanges of the range that match. */
  readonly matched: number;
  /** Bounds of the whole session, for the brush. */
  readonly whole: TimeRange | null;
}
