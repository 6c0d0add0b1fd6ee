import type { ErrorType } from "../model/exchange.ts";
import type { Link } from "../model/findings.ts";
import type { Span } from "../model/span.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";

/* The timeline: its rows, and the minimap above them. */

/** A range of time, both bounds included. */
export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

export interface TimelineRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  /** `null` while in flight. */
  readonly endTime: Instant | null;
  /** When the session ended with the exchange in flight; `null`: the session is being recorded. */
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
  /** The wait before the first phase. */
  readonly wait: Wait | null;
  readonly reused: boolean | null;
  /** The server connection and its stream; `null` as in an exchange. */
  readonly connection: number | null;
  readonly stream: number | null;
  /** The client connection and its stream. */
  readonly clientConnection: number | null;
  readonly clientStream: number | null;
  readonly slow: boolean;
  readonly client: string;
  /** Its parallel group, by the group's first exchange; `null` if it overlaps none. */
  readonly group: ExchangeId | null;
  /** The chain's index in the list; `null` if it is in no listed chain. */
  readonly chain: number | null;
  /** The previous exchange of that chain; `null` for the first, and outside chains. */
  readonly follows: {
    readonly from: ExchangeId;
    readonly kind: Link["kind"];
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
  /** Exchanges of the range that match the filter. */
  readonly matched: number;
  /** Bounds of the whole session, for the brush. */
  readonly whole: TimeRange | null;
  /** From the first start to the last end of the matching exchanges; one in flight ends with the session. */
  readonly matching: TimeRange | null;
  /** Whether the session has ended: nothing will be added to it. */
  readonly ended: boolean;
}
