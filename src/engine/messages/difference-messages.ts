import * as v from "valibot";
import type { OperationEndpoint } from "../model/finding.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import { exchangeId, filter, pickedRows, timeRange } from "./decoded.ts";
import type { CutCounts } from "./latency-messages.ts";

/* Two questions: what differs between two exchanges, and what a chosen set has that its endpoints' others lack. */

/**
 * The exchanges of a chosen set: the selected rows of a traffic list, or all that match a filter. `between`: only those
 * that began in this range; `null`: all.
 */
export const chosenSet = v.variant("by", [
  v.object({ by: v.literal("rows"), ...pickedRows }),
  v.object({ by: v.literal("matches"), filter, between: v.nullable(timeRange) }),
]);

export type ChosenSet = v.InferOutput<typeof chosenSet>;

/** An exchange to compare with: one by its id, the usual twin, or the latest other one with a mark. */
const compared = v.union([exchangeId, v.picklist(["twin", "marked"])]);

export type ComparedWith = v.InferOutput<typeof compared>;

export const differenceCommands = [
  /** Compares two exchanges. The reply's value is an `ExchangeComparison`. */
  v.object({ type: v.literal("compare-exchanges"), exchange: exchangeId, other: compared }),
  /** Says what a chosen set has that other requests of its endpoints lack. The reply's value is a `SetDifference`. */
  v.object({ type: v.literal("what-differs"), set: chosenSet }),
] as const;

export const ROW_GROUPS = ["outcome", "query", "request", "response", "size", "connection", "phase"] as const;

export type RowGroup = (typeof ROW_GROUPS)[number];

/** One thing in which two exchanges differ. */
export interface ComparedRow {
  readonly group: RowGroup;
  /** The name of a parameter, header, cookie or body field, else that of an attribute of `slow-when` or a phase. */
  readonly name: string;
  /** A text, or a number in `unit`; `null` if an exchange does not have it. */
  readonly one: string | number | null;
  readonly other: string | number | null;
  readonly unit: "text" | "bytes" | "ms" | "count";
  /** How many of the endpoint's requests are like `one` in this; `null` if that was not counted. */
  readonly shared: Omit<CutCounts, "at"> | null;
  /** For numbers: halfway to `other` on a logarithmic scale. Requests on the side of `one` are like it. */
  readonly limit: number | null;
  /** Whether slow requests have it significantly more often. */
  readonly isTelling: boolean;
  /** Whether it differs with almost every request, such as a date or an identifier. */
  readonly isMinor: boolean;
}

/** A value of a JSON body, shortened; `null` if one body does not have the key. */
export interface JsonDifference {
  readonly path: string;
  readonly one: string | null;
  readonly other: string | null;
}

export interface LineDifference {
  readonly side: "one" | "other";
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** How two bodies differ. `more`: how many further differences are not listed; `null` if they were not counted. */
export type BodyDifference =
  | { readonly kind: "same"; readonly size: Bytes }
  /** At least one body cannot be compared. */
  | { readonly kind: "unknown"; readonly why: string }
  | { readonly kind: "json"; readonly differences: readonly JsonDifference[]; readonly more: number }
  | { readonly kind: "text"; readonly differences: readonly LineDifference[]; readonly more: number | null }
  | {
      readonly kind: "binary";
      readonly one: Bytes;
      readonly other: Bytes;
      /** The index of the first byte that differs. */
      readonly at: Bytes;
    };

export interface ComparedExchange {
  readonly id: ExchangeId;
  readonly method: string;
  readonly url: string;
  readonly start: Instant;
  /** The status, or why there was none. */
  readonly outcome: string;
  readonly latency: Milliseconds | null;
}

export interface ExchangeComparison {
  readonly one: ComparedExchange;
  readonly other: ComparedExchange;
  /** The duration from which a request of the endpoint of `one` counts as slow; `null` if it has too few requests. */
  readonly slowFrom: Milliseconds | null;
  readonly rows: readonly ComparedRow[];
  readonly more: number;
  readonly requestBody: BodyDifference;
  readonly responseBody: BodyDifference;
  /** Whether only the beginnings of the bodies were compared. */
  readonly isCut: boolean;
}

/** An attribute that the chosen requests have more often than the others. */
export interface SetAttribute {
  /** As in a `slow-when` finding. */
  readonly name: string;
  readonly value: string;
  /** How many of the chosen requests, and of the others, have it. */
  readonly chosen: number;
  readonly others: number;
}

/**
 * An endpoint whose chosen requests took another time than its others, with the requests and the median of each side.
 */
export interface SetLatency {
  readonly endpoint: OperationEndpoint;
  readonly chosen: { readonly requests: number; readonly median: Milliseconds };
  readonly others: { readonly requests: number; readonly median: Milliseconds };
}

export interface SetDifference {
  /** The chosen requests that were compared, and the other requests of the same endpoints. */
  readonly chosen: number;
  readonly others: number;
  /** The chosen exchanges that were not compared, because no statistic counts them. */
  readonly leftOut: number;
  /** The number of endpoints of the chosen requests; `endpoint`: the endpoint, if it is one. */
  readonly endpoints: number;
  readonly endpoint: OperationEndpoint | null;
  /** The clearest first. `latenciesTried`: over how many endpoints the test was corrected. */
  readonly latencies: readonly SetLatency[];
  readonly latenciesTried: number;
  /** The number of comparisons for which the test was corrected. */
  readonly tried: number;
  /** The clearest first. */
  readonly attributes: readonly SetAttribute[];
}

/** The fewest requests on each side for which attributes are compared, as in `slow-when`. */
export const LEAST_OF_A_SET = 5;
