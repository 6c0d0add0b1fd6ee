import * as v from "valibot";
import { FINDING_KINDS, type FindingKind } from "../model/finding.ts";
import type { Result } from "../model/result.ts";
import { amount, atLeast, type Fault, readJson } from "./json-file.ts";

/** The figures that a budget can limit, for each endpoint. */
export const LIMITS = ["p50", "p95", "p99", "size", "errors", "count"] as const;

const needed = atLeast(5);

const SIZE = 'a number of bytes or a text such as "1.5 MB"';
/** Bytes, as a number or as a text with a unit; 1 KB is 1024 bytes, as in all of Weir's texts. */
const size = v.pipe(
  v.union([v.number(), v.string()], SIZE),
  v.check((value) => Number.isFinite(bytesIn(value)), SIZE),
  v.check((value) => bytesIn(value) >= 0, "0 or more"),
  v.transform(bytesIn),
);

const kind = v.picklist(FINDING_KINDS, `one of ${FINDING_KINDS.join(", ")}`);
/** `time`: the most that one finding may cost, in ms. */
const costs = v.strictObject({ time: amount });
const byKind = Object.fromEntries(FINDING_KINDS.map((one) => [one, v.optional(costs)])) as Readonly<
  Record<FindingKind, v.OptionalSchema<typeof costs, undefined>>
>;
const findings = v.strictObject({ no: v.optional(v.pipe(v.array(kind), v.readonly()), []), ...byKind });

const limits = v.strictObject({
  p50: v.optional(amount),
  p95: v.optional(amount),
  p99: v.optional(amount),
  /** Limit of the mean size of response bodies, in bytes as transferred. */
  size: v.optional(size),
  /** Limit of the share of failed requests, in percent. */
  errors: v.optional(v.pipe(amount, v.maxValue(100, "at most 100 (percent)"))),
  /** Limit of the number of requests. */
  count: v.optional(amount),
  /** The number of requests needed for a verdict; 5 if absent. */
  n: v.optional(needed),
  findings: v.optional(findings),
});

/** Limits for the endpoints that one pattern matches. A figure that equals its limit keeps the limit. */
export type EndpointLimits = v.InferOutput<typeof limits>;

/** Kinds of findings that must not be, and those that may cost so much. */
export type FindingLimits = v.InferOutput<typeof findings>;

/** The figures that a budget can limit, for page loads. */
export const LOAD_LIMITS = ["p95", "requests", "bytes"] as const;

const load = v.strictObject({
  /** Limit of the loads' 95th percentile, in ms. */
  p95: v.optional(amount),
  /** Limits of each load: its requests, and the bytes of their response bodies as transferred. */
  requests: v.optional(amount),
  bytes: v.optional(size),
  /** The number of loads of a page needed for a verdict on p95; 5 if absent. */
  n: v.optional(needed),
});

export type LoadLimits = v.InferOutput<typeof load>;

/** Without the number in a budget, a check of fewer requests fails: the run may have bypassed the proxy. */
const LEAST_REQUESTS = 10;

const budget = v.strictObject({
  $schema: v.optional(v.string("a text")),
  /**
   * Limits by pattern. A pattern is `METHOD URL`, `METHOD /path`, `/path` or `*`; in it, `*` stands for any characters.
   */
  endpoints: v.optional(v.record(v.string(), limits), {}),
  findings: v.optional(findings, {}),
  load: v.optional(load),
  /** `min`: the number of requests that a session or file must have. */
  requests: v.optional(v.strictObject({ min: v.optional(atLeast(1), LEAST_REQUESTS) }), {}),
});

/** The content of a budget file. */
export type Budget = Readonly<v.InferOutput<typeof budget>>;

export const NO_LIMITS: Budget = Object.freeze({
  endpoints: {},
  findings: { no: [] },
  requests: { min: LEAST_REQUESTS },
});

/** Whether nothing could break the budget. */
export function limitsNothing({ endpoints, findings, load }: Budget): boolean {
  const isLimited = Object.values(endpoints).some(
    (one) =>
      LIMITS.some((limit) => one[limit] !== undefined) || (one.findings !== undefined && limitsFindings(one.findings)),
  );
  return !isLimited && !limitsFindings(findings) && LOAD_LIMITS.every((limit) => load?.[limit] === undefined);
}

function limitsFindings(findings: FindingLimits): boolean {
  return findings.no.length > 0 || FINDING_KINDS.some((one) => findings[one] !== undefined);
}

const UNITS: Readonly<Record<string, number>> = { b: 1, bytes: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** Not a number for a text without a unit that is known. */
function bytesIn(value: number | string): number {
  if (typeof value === "number") return value;
  const [, digits = "", unit = ""] = /^\s*(\d{1,15}(?:\.\d{1,9})?) ?(bytes|[kmg]?b)\s*$/i.exec(value) ?? [];
  return digits === "" ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
}

/**
 * The first error that the schema library does not report; `null` if there is none. The library accepts a list in place
 * of an object, and silently drops the names in `UNREAD`.
 */
function unreadIn(json: unknown): Fault | null {
  const { endpoints } = (json ?? {}) as { readonly endpoints?: unknown };
  if (Array.isArray(endpoints)) return { path: ["endpoints"], reason: "must be an object, but is a list" };
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
