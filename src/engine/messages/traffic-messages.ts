import type { Mark } from "../model/annotation.ts";
import type { ErrorType, Tag } from "../model/exchange.ts";
import { PHASES, type Span, type Stretch, type Wait } from "../model/phases.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/* The traffic list, its selected rows, and the tree of its hosts and paths. */

export const TRAFFIC_COLUMNS = Object.freeze([
  "id",
  "startTime",
  "method",
  "status",
  "path",
  "host",
  "type",
  "size",
  "latency",
  "client",
  "protocol",
  "server",
  "requestSize",
  ...PHASES,
] as const);

export type TrafficColumn = (typeof TRAFFIC_COLUMNS)[number];

/**
 * The rows of a list from the exchange `from` to the exchange `to`, both included; `null` stands for the list's
 * beginning or end.
 */
export interface PickedStretch {
  readonly from: ExchangeId | null;
  readonly to: ExchangeId | null;
}

/** A node in the tree of hosts and paths. `path` has whole segments and no query; it is "" for the host itself. */
export interface TreeNode {
  /** With the port, unless that is the scheme's default. */
  readonly host: string;
  readonly path: string;
}

export interface TrafficRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  /** The operation as in `EndpointParts`; also `null` while the exchange is in flight. */
  readonly operation: string | null;
  /** `null` before a response's head arrives, and if no response reached the client. */
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly contentType: string | null;
  readonly requestBodySize: Bytes;
  readonly encodedBodySize: Bytes;
  /** The latency of a whole response; `null` in flight, for failures and for streams. */
  readonly latency: Milliseconds | null;
  /** The time until the exchange failed; `null` if it did not fail, or if the time is unknown. */
  readonly failedAfter: Milliseconds | null;
  /** Whether the exchange is in flight. Its time so far is then `now - startTime`. */
  readonly inFlight: boolean;
  /** When the session ended, if the exchange was still in flight then; else `null`. */
  readonly sessionEnd: Instant | null;
  readonly spans: readonly Span[];
  /** As in `TimelineRecord`. */
  readonly wait: Wait | null;
  /** As in `TimelineRecord`. */
  readonly slowed: readonly Stretch[];
  /** As in `Exchange`. */
  readonly uncertainty: Milliseconds;
  readonly slow: boolean;
  readonly oversized: boolean;
  readonly client: string;
  /** The name of the client's program, as in `Exchange`. */
  readonly program: string | null;
  readonly protocol: string;
  /** `address:port` of the server's end of the connection, IPv6 in brackets; `null` if not known yet. */
  readonly server: string | null;
  readonly tags: readonly Tag[];
  readonly mark: Mark | null;
  /** The first 200 characters of the comment. */
  readonly comment: string;
}

/** The children of a node. Children with the most rows come first. `more`: the number of children left out. */
export interface PathBranch extends TreeNode {
  readonly children: readonly {
    readonly path: string;
    /** The number of rows in the table at this path or below it. */
    readonly exchanges: number;
    /** Whether no row is below this path. */
    readonly isLeaf: boolean;
  }[];
  readonly more: number;
}

/**
 * Sums over selected exchanges. The percentiles are exact. `p50`, `p95` and `longest` are `null` if no selected
 * exchange has a latency.
 */
export interface PickedSums {
  readonly count: number;
  readonly errors: number;
  /** Bytes of request and response bodies as transferred. */
  readonly bytes: Bytes;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly longest: Milliseconds | null;
}

/** A value for a filter term, and the number of exchanges that have it. */
export interface OccurringValue {
  readonly value: string;
  readonly exchanges: number;
}

/** Keys of the filter whose values can be read from the rows of the table. */
export const ROW_KEYS = ["status", "method", "type", "protocol", "client", "host", "page"] as const;

/**
 * What a filter term can be completed with: the values of a key; the names of headers (`req.`, `resp.`) or of query
 * parameters (`q.`); or the values of a header or parameter (`resp.x-cache`, `q.page`).
 */
export type OccurringKey = (typeof ROW_KEYS)[number] | "finding" | `${"q" | "req" | "resp"}.${string}`;

/** At most 200 values, the most frequent first. */
export type OccurringValues = readonly OccurringValue[];
