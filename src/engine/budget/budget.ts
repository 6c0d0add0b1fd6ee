import * as v from "valibot";
import { FINDING_KINDS } from "../model/finding.ts";
import type { Result } from "../model/result.ts";
import { type Fault, readJson } from "./json-file.ts";

/** The figures that a budget can limit, for each endpoint. */
export const LIMITS = ["p50", "p95", "p99", "size", "errors", "count"] as const;

const amount = v.pipe(v.number("is not a number"), v.finite("is not a number"), v.minValue(0, "is below 0"));
const needed = v.pipe(v.number("is not a number"), v.integer("is not a whole number"), v.minValue(5, "is below 5"));

const limits = v.strictObject({
  p50: v.optional(amount),
  p95: v.optional(amount),
  p99: v.optional(amount),
  /** Limit of the mean size of response bodies, in bytes as transferred. */
  size: v.optional(amount),
  /** Limit of the share of failed requests, in percent. */
  errors: v.optional(v.pipe(amount, v.maxValue(100, "is above 100 percent"))),
  /** Limit of the number of requests. */
  count: v.optional(amount),
  /** The number of requests needed for a verdict; 5 if absent. */
  n: v.optional(needed),
});

/** Limits for the endpoints that one pattern matches. A figure that equals its limit keeps the limit. */
export type EndpointLimits = v.InferOutput<typeof limits>;

const kind = v.picklist(FINDING_KINDS, `is not one of ${FINDING_KINDS.join(", ")}`);

const budget = v.strictObject({
  $schema: v.optional(v.string()),
  /**
   * Limits by pattern. A pattern is `METHOD URL`, `METHOD /path`, `/path` or `*`; in it, `*` stands for any characters.
   */
  endpoints: v.optional(v.record(v.string(), limits), {}),
  findings: v.optional(v.strictObject({ no: v.pipe(v.array(kind), v.readonly()) }), { no: [] }),
});

/** The content of a budget file. */
export type Budget = Readonly<v.InferOutput<typeof budget>>;

/**
 * The first error that the schema library does not report; `null` if there is none. The library accepts a list in place
 * of an object, and silently drops the names in `UNREAD`.
 */
function unreadIn(json: unknown): Fault | null {
  const { endpoints } = (json ?? {}) as { readonly endpoints?: unknown };
  if (Array.isArray(endpoints)) return { path: ["endpoints"], reason: "is a list" };
  const unread = Object.keys(endpoints ?? {}).find((name) => UNREAD.includes(name));
  return unread === undefined ? null : { path: ["endpoints", unread], reason: "is not a pattern" };
}

const UNREAD: readonly string[] = ["__proto__", "constructor", "prototype"];

/**
 * Parses a budget file. The message of a failure is a sentence that names the error and, if the file is JSON, the line.
 */
export function budgetOf(text: string): Result<Budget> {
  return readJson(text, budget, "the budget", unreadIn);
}
