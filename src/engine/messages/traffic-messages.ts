import type { Mark } from "../model/annotation.ts";
import type { ErrorType, Tag } from "../model/exchange.ts";
import { PHASES } from "../model/phases.ts";
import type { Span } from "../model/span.ts";
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

/** Rows of a list from one to another, both included; `null`: the list's end on that side. */
export interface PickedStretch {
  readonly from: ExchangeId | null;
  readonly to: ExchangeId | null;
}

/** A node in the tree of hosts and paths: a path without query, by whole segments; empty: the whole host. */
export interface TreePlace {
  /** With the port unless it is the scheme's default. */
  readonly host: string;
  readonly path: string;
}

export interface TrafficRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  /** `null` until a response's head arrives, and when none reached the client. */
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly contentType: string | null;
  readonly requestBodySize: Bytes;
  readonly encodedBodySize: Bytes;
  /** The latency of a whole response; `null` in flight, for failures, and for streams. */
  readonly latency: Milliseconds | null;
  /** The time until it failed; `null` if it did not fail, and where the time is unknown. */
  readonly failedAfter: Milliseconds | null;
  /** Whether it is in flight; its duration is then `now - startTime`. */
  readonly inFlight: boolean;
  /** When the session ended with the exchange in flight; `null`: the session is being recorded. */
  readonly sessionEnd: Instant | null;
  readonly spans: readonly Span[];
  /** As in `Exchange`. */
  readonly uncertainty: Milliseconds;
  readonly slow: boolean;
  readonly oversized: boolean;
  readonly client: string;
  /** The client's program, as in an exchange. */
  readonly program: string | null;
  readonly protocol: string;
  /** `address:port` of the server connection, IPv6 in brackets; `null` until it is known. */
  readonly server: string | null;
  readonly tags: readonly Tag[];
  readonly mark: Mark | null;
  /** At most its first 200 characters. */
  readonly comment: string;
}

/** The children of a node, most rows first; `more`: the number of omitted ones. */
export interface PathBranch extends TreePlace {
  readonly children: readonly {
    readonly path: string;
    /** Rows in the table at this path or below it. */
    readonly exchanges: number;
    /** Whether nothing is below it. */
    readonly isLeaf: boolean;
  }[];
  readonly more: number;
}

/** Sums over selected exchanges. The latencies are exact, and `null` if none has one. */
export interface PickedSums {
  readonly count: number;
  readonly errors: number;
  /** Request and response bodies as transferred. */
  readonly bytes: Bytes;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly longest: Milliseconds | null;
}

/** A value of a filter term, and how many exchanges have it. */
export interface OccurringValue {
  readonly value: string;
  readonly exchanges: number;
}

/** Keys of the filter whose values the rows of the table tell. */
export const ROW_KEYS = ["status", "method", "type", "protocol", "client", "host"] as const;

/**
 * What can be completed: the values of a key, the names of headers (`req.`, `resp.`), or the values of one header
 * (`resp.x-cache`).
 */
export type OccurringKey = (typeof ROW_KEYS)[number] | "finding" | `${"req" | "resp"}.${string}`;

/** The most frequent first, at most 200. */
export type OccurringValues = readonly OccurringValue[];
