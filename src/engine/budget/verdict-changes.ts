import { type Band, SampleBaseline, SIGNIFICANT, sizeVerdict } from "../insights/figure-change.ts";
import type { FindingChanges } from "../insights/findings/finding-changes.ts";
import { EndpointBaseline, type SampledStats, type StableBands } from "../insights/trends.ts";
import type { LoadFigures } from "../insights/where/load-figures.ts";
import type { CompareRecord } from "../messages/compare-messages.ts";
import type { TrendMetric } from "../model/trend.ts";
import { normalQuantileAbove } from "../stats/distributions.ts";
import { sizeSampleIn } from "../stats/percentile.ts";
import type { Verdict } from "./verdict.ts";

/** What a session or file had, for a comparison of its limits with those of another. */
export interface ComparedSide {
  /** The endpoints with enough requests, named alike on both sides. */
  readonly endpoints: readonly SampledStats[];
  readonly loads: readonly LoadFigures[];
}

/** Both sides, and what Compare says about their latencies and findings. */
export interface ComparedSides {
  readonly before: ComparedSide;
  readonly now: ComparedSide;
  readonly compared: readonly CompareRecord[];
  readonly findings: FindingChanges;
  readonly bands: StableBands;
}

/**
 * Says of each broken or accepted verdict whether it is new, worse than in the baseline by a test, or known.
 * `isOnlyNew`: known ones do not fail, and accepted ones that grew do if they are worse. An expired acceptance stays
 * broken.
 */
export function withChanges(
  verdicts: readonly Verdict[],
  sides: ComparedSides,
  isOnlyNew: boolean,
): readonly Verdict[] {
  const changeOf = changes(sides);
  return verdicts.map((verdict): Verdict => {
    if (verdict.outcome !== "broken" && verdict.outcome !== "accepted") return verdict;
    const change = changeOf(verdict);
    if (verdict.outcome === "accepted") {
      const isOutgrown = isOnlyNew && change === "worse" && verdict.acceptance?.grew != null;
      return Object.freeze({ ...verdict, change, outcome: isOutgrown ? "broken" : "accepted" });
    }
    const isKnown = isOnlyNew && change === "known" && verdict.acceptance === null;
    return Object.freeze({ ...verdict, change, outcome: isKnown ? "known" : "broken" });
  });
}

type ChangeOf = (verdict: Verdict) => NonNullable<Verdict["change"]>;

function changes({ before, now, compared, bands, findings }: ComparedSides): ChangeOf {
  const lefts = new Map<string, SampledStats>(before.endpoints.map((stats) => [stats.endpoint, stats]));
  const rights = new Map<string, SampledStats>(now.endpoints.map((stats) => [stats.endpoint, stats]));
  const slower = new Set<string>(compared.flatMap(({ endpoint, verdict }) => (verdict === "slower" ? endpoint : [])));
  const added = new Set(findings.added.map(({ fingerprint }) => fingerprint));
  const worse = new Set(findings.worse.map((pair) => pair.now.fingerprint));
  const isUp = (endpoint: string, metric: TrendMetric) => {
    const [left, right] = [lefts.get(endpoint), rights.get(endpoint)];
    if (left === undefined || right === undefined) return false;
    return new EndpointBaseline([left]).trendOf(right, metric, bands[metric])?.direction === "up";
  };
  const isWorse = ({ what, subject, n }: Verdict): boolean => {
    if (what === "errors") return isUp(subject, "errorRate");
    if (what === "size") return isUp(subject, "payload");
    if (what === "count") return hasRisen(lefts.get(subject)?.requests ?? 0, n);
    return slower.has(subject);
  };
  return (verdict) => {
    const { what, subject, fingerprint } = verdict;
    if (what === "regression") return "worse";
    if (what in LOAD_FIGURES) return loadChange(verdict, before.loads, now.loads);
    if (what !== "finding") {
      if (!lefts.has(subject)) return "new";
      return isWorse(verdict) ? "worse" : "known";
    }
    if (added.has(fingerprint ?? "")) return "new";
    return worse.has(fingerprint ?? "") ? "worse" : "known";
  };
}

const LOAD_FIGURES: Readonly<Record<string, "duration" | "requests" | "bytes">> = {
  "load p95": "duration",
  "load requests": "requests",
  "load bytes": "bytes",
};

/** Compares a page's loads by the rank test. */
function loadChange(
  { what, subject }: Verdict,
  before: readonly LoadFigures[],
  now: readonly LoadFigures[],
): NonNullable<Verdict["change"]> {
  const figure = LOAD_FIGURES[what] ?? "duration";
  const [earlier, later] = [before, now].map((loads) =>
    sizeSampleIn(loads.flatMap((load) => (load.page === subject ? load[figure] : []))),
  );
  if (!earlier || !later) return "new";
  return sizeVerdict(later, new SampleBaseline([earlier]), ANY).direction === "up" ? "worse" : "known";
}

/** Whether a number of events grew, by the normal approximation of the conditional test of two Poisson counts. */
function hasRisen(before: number, now: number): boolean {
  return now > before && (now - before) / Math.sqrt(now + before) > normalQuantileAbove(SIGNIFICANT / 2);
}

/** Every difference counts that the test finds. */
const ANY: Band = { percent: 0, absolute: 0 };
