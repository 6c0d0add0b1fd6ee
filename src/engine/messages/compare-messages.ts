import type { Endpoint, EndpointParts } from "../model/endpoint.ts";
import type { ChangeMark } from "../model/experiment.ts";
import type { UnitKind } from "../model/load-gain.ts";
import type { OverallChange } from "../model/trend.ts";
import type { Milliseconds } from "../model/units.ts";
import type { EndpointStats } from "./latency-messages.ts";

/* Comparison of two sessions. */

/** What changed in one way, such as new findings. */
export interface ChangeList {
  /** "New findings: 2" */
  readonly title: string;
  /** A sentence each, with captured text. */
  readonly items: readonly string[];
}

export const COMPARE_COLUMNS = ["endpoint", "verdict", "lost", "p50", "p95", "avgSize", "errorRate"] as const;

export type CompareColumn = (typeof COMPARE_COLUMNS)[number];

/** An endpoint's figures in one session. */
export type CompareFigures = Pick<EndpointStats, "requests" | "p50" | "p95" | "p99" | "avgSize" | "errorRate">;

/**
 * How an endpoint's latencies changed from left to right. `same-median`: the median did not change, and the slowest
 * requests are too few to tell. `absent`: the endpoint has no row in one of the sessions.
 */
export const COMPARE_VERDICTS = ["slower", "faster", "unknown", "same-median", "same", "absent"] as const;

export type CompareVerdict = (typeof COMPARE_VERDICTS)[number];

/** Histograms of two samples of latencies over one logarithmic axis. Each is scaled so that its highest bin is 1. */
export interface Distributions {
  readonly from: Milliseconds;
  readonly to: Milliseconds;
  readonly left: readonly number[];
  readonly right: readonly number[];
}

export interface CompareRecord extends EndpointParts {
  readonly endpoint: Endpoint;
  /** `null` if the endpoint has no row in that session. */
  readonly left: CompareFigures | null;
  readonly right: CompareFigures | null;
  readonly verdict: CompareVerdict;
  /** Why no change could be detected, as in `Change`. */
  readonly note: string | null;
  /**
   * The smallest growth of all latencies that the samples would have shown nine times of ten, such as 1.3; `null` if
   * there is none, or nothing to compare.
   */
  readonly shown: number | null;
  /** The number of latencies of each session that were compared. */
  readonly samples: { readonly left: number; readonly right: number };
  /** The number of latencies of each session that were left out because they are too uncertain. */
  readonly uncertain: { readonly left: number; readonly right: number };
  /** `null` if a session has no latency. */
  readonly distributions: Distributions | null;
  /**
   * How much longer the requests of the right session took in all than at the left one's mean latency; negative if
   * less, `null` if a session has no latency.
   */
  readonly lost: Milliseconds | null;
  /**
   * The protocols of the endpoint's clients in each session, by ALPN name, sorted. Empty if the session has no row for
   * the endpoint, or did not store the protocols.
   */
  readonly protocols: { readonly left: readonly string[]; readonly right: readonly string[] };
  /** Right minus left, for the error rate in percentage points; `null` if a session has no such figure. */
  readonly change: { readonly [Figure in keyof CompareFigures]: number | null };
}

/** The number of endpoints by verdict, and the change over all. */
export interface Comparison {
  readonly counts: Readonly<Record<CompareVerdict, number>>;
  /** `null` if no endpoint has latencies in both sessions. */
  readonly overall: OverallChange | null;
}

/** Page loads or walks compared between the marks A and B of one session. */
export interface MarkedChangeRecord extends EndpointParts {
  readonly unit: UnitKind;
  readonly verdict: CompareVerdict;
  readonly counts: Readonly<Record<ChangeMark, number>>;
  /** How often A and B took over from each other, and began: A, B, A are three. */
  readonly turns: number;
  /** What changed, as sentences. */
  readonly texts: readonly string[];
  /** The endpoints that became faster or slower, the largest change first, each with a sentence. */
  readonly endpoints: readonly (EndpointParts & { readonly verdict: CompareVerdict; readonly text: string })[];
}

/** What the user marked as A and B in the shown session, and how they differ. */
export interface MarkedChanges {
  /** What runs now; `null` without a mark. */
  readonly mark: ChangeMark | null;
  /**
   * By page, and by the first endpoint of walks; those with the most units come first. `null` before the first results.
   */
  readonly changes: readonly MarkedChangeRecord[] | null;
}
