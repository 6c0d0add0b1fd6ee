import type { ErrorType, Tag } from "../model/exchange.ts";
import { PHASES } from "../model/phases.ts";
import type { Mark } from "../model/remark.ts";
import type { Span } from "../model/span.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/* The traffic list, what is picked of it, and the tree of its hosts and paths. */

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

/** Rows of a list from one to another, both included; `null` is the list's end at that side. */
export interface PickedStretch {
  readonly from: ExchangeId | null;
  readonly to: ExchangeId | null;
}

/** A place in the tree of hosts and paths: a path without query, by whole segments; empty: all of the host. */
export interface TreePlace {
  /** With its port where that is not the scheme's own. */
  readonly host: string;
  readonly path: string;
}

export interface TrafficRecord {
  readonly id: ExchangeId;
  readonly startTime: Instant;
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  /** `null` until the head of an answer has come, and when none reached the client. */
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly contentType: string | null;
  readonly requestBodySize: Bytes;
  readonly encodedBodySize: Bytes;
  /** Of a whole response; `null` in flight, of failures, and where the lifetime is no latency. */
  readonly latency: Milliseconds | null;
  /** How long it took until it failed; `null` of what did not, and where that is not known. */
  readonly failedAfter: Milliseconds | null;
  /** In flight: how long it has lasted is `now - startTime`. */
  readonly inFlight: boolean;
  /** When the session ended in which it is in flight; `null`: it goes on. */
  readonly sessionEnd: Instant | null;
  readonly spans: readonly Span[];
  readonly slow: boolean;
  readonly oversized: boolean;
  readonly client: string;
  /** Of the client, as in an exchange. */
  readonly program: string | null;
  readonly protocol: string;
  /** `address:port` of the server connection, IPv6 in brackets; `null` until it is known. */
  readonly server: string | null;
  readonly tags: readonly Tag[];
  readonly mark: Mark | null;
  /** At most its first 200 characters. */
  readonly comment: string;
}

/** What lies one segment below a place, most rows first; `more`: how many others are not told. */
export interface PathBranch extends TreePlace {
  readonly children: readonly {
    readonly path: string;
    /** Rows of the list at this path or below it. */
    readonly exchanges: number;
    /** Nothing lies below it. */
    readonly isLeaf: boolean;
  }[];
  readonly more: number;
}

/** Sums over exchanges that a person has picked. The latencies are exact, and `null` where none has one. */
export interface PickedSums {
  readonly count: number;
  readonly errors: number;
  /** Request and response bodies as transferred. */
  readonly bytes: Bytes;
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly longest: Milliseconds | null;
}
