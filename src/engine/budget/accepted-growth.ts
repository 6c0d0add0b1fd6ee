import { isAboveMedian, SIGNIFICANT } from "../insights/figure-change.ts";
import {
  byFingerprint,
  costChangeOf,
  costOf,
  type FindingCost,
  measureOf,
  STABLE_SHARE,
} from "../insights/findings/finding-changes.ts";
import { counted, inBytes, inMs, inTime } from "../insights/findings/text.ts";
import type { SampledStats } from "../insights/trends.ts";
import { type Endpoint, type EndpointParts, endpointAt } from "../model/endpoint.ts";
import type { Finding } from "../model/finding.ts";
import type { LatencySample } from "../stats/percentile.ts";
import type { AcceptedCost, AcceptedEntry } from "./accepted-file.ts";
import type { Grown } from "./verdict.ts";

/** What can be accepted under one fingerprint. `cost`: `null` for an endpoint, which has latencies alone. */
export interface Acceptable {
  readonly cost: FindingCost | null;
  readonly latencies: LatencySample | null;
}

/** The findings of a session and its endpoints by fingerprint. `fingerprintOf`: of a slower endpoint. */
export function acceptableIn(
  { findings, exchanges }: { readonly findings: readonly Finding[]; readonly exchanges: number },
  endpoints: readonly SampledStats[],
  fingerprintOf: (endpoint: EndpointParts) => string,
): ReadonlyMap<string, Acceptable> {
  const latencies = new Map<Endpoint, LatencySample | null>(
    endpoints.map(({ endpoint, sampled }) => [endpoint, sampled.latencies]),
  );
  const found = [...byFingerprint(findings)].map(([fingerprint, those]): [string, Acceptable] => {
    const at = those.find(({ endpoint }) => endpoint !== null)?.endpoint ?? null;
    const own = at === null ? null : latencies.get(endpointAt(at.method, at.origin, at.path, at.operation));
    return [fingerprint, { cost: costOf(those, exchanges), latencies: own ?? null }];
  });
  const slower = endpoints.map((stats): [string, Acceptable] => {
    return [fingerprintOf(stats), { cost: null, latencies: stats.sampled.latencies }];
  });
  return new Map([...slower, ...found]);
}

/** What an entry of the accepted file keeps: times in ms, rounded to 0.1. */
export function acceptedCostOf({ cost, latencies }: Acceptable): AcceptedCost {
  const rounded = (value: number) => Number(value.toFixed(1));
  return {
    ...(cost === null ? {} : { count: cost.count, requests: cost.requests }),
    ...(cost === null || cost.time === null ? {} : { time: rounded(cost.time) }),
    ...(cost === null || cost.bytes === null ? {} : { bytes: Math.round(cost.bytes) }),
    ...(latencies === null ? {} : { p50: rounded(latencies.p50), latencies: latencies.count }),
  };
}

/**
 * Tells from what to what an accepted finding grew; `null` if no test shows that it did. It is compared with its entry,
 * else with the baseline: `before`, in which the fingerprints of `worse` cost less.
 */
export function growthIn(
  now: ReadonlyMap<string, Acceptable>,
  before: ReadonlyMap<string, Acceptable>,
  worse: ReadonlySet<string>,
  entries: readonly AcceptedEntry[],
): (entry: AcceptedEntry) => Grown | null {
  const known = entries.filter(({ fingerprint, cost }) => cost !== undefined && now.has(fingerprint));
  const significant = SIGNIFICANT / Math.max(1, known.length);
  return ({ fingerprint, cost }) => {
    const [later, earlier] = [now.get(fingerprint), before.get(fingerprint)];
    if (later === undefined) return null;
    if (cost !== undefined) return isGrown(cost, later, significant) ? textsOf(cost, later) : null;
    return earlier !== undefined && worse.has(fingerprint) ? textsOf(acceptedCostOf(earlier), later) : null;
  };
}

/** By the rule of `costChangeOf`. The latencies are slower if more of them lie above the entry's median. */
function isGrown(accepted: AcceptedCost, { cost, latencies }: Acceptable, significant: number): boolean {
  const { p50, latencies: count } = accepted;
  const before = costIn(accepted);
  const isSlower =
    p50 !== undefined &&
    count !== undefined &&
    latencies !== null &&
    isAboveMedian(latencies, { p50, count }, significant);
  if (cost === null || before === null) return isSlower && latencies.p50 > p50 * (1 + STABLE_SHARE);
  return costChangeOf(before, cost, isSlower ? "slower" : undefined, significant) === "worse";
}

/** `null`: not known, as of an endpoint. */
function costIn({ time, bytes, count, requests }: AcceptedCost): FindingCost | null {
  return count === undefined || requests === undefined
    ? null
    : { time: time ?? null, bytes: bytes ?? null, count, requests };
}

function textsOf(accepted: AcceptedCost, { cost, latencies }: Acceptable): Grown {
  const before = costIn(accepted);
  if (cost === null || before === null)
    return { from: `a p50 of ${inMs(accepted.p50 ?? 0)}`, to: inMs(latencies?.p50 ?? 0) };
  const measure = measureOf(before, cost);
  const textOf = (one: FindingCost) =>
    `${inMeasure[measure](one[measure] ?? 0)} in ${counted(one.requests, "request")}`;
  return { from: textOf(before), to: textOf(cost) };
}

const inMeasure = { time: inTime, bytes: inBytes, count: (count: number) => counted(count, "occurrence") } as const;
