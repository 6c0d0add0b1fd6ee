import type { LoadFigures } from "../insights/where/load-figures.ts";
import { percentileOf } from "../stats/percentile.ts";
import { LOAD_LIMITS, type LoadLimits } from "./budget.ts";
import { NO_FINDING, type Verdict, type Verdicts } from "./verdict.ts";

/** The fewest loads of a page for a verdict on p95 if the budget sets no `n`. */
const LEAST_LOADS = 5;

/**
 * Checks the limits of page loads for each page: the 95th percentile of their durations, and the load with the most
 * requests and bytes. A limit has no verdict if no page has enough loads; other rare pages are only counted.
 */
export function loadVerdictsOf(limits: LoadLimits, loads: readonly LoadFigures[]): Verdicts {
  const pages = [...new Set(loads.map(({ page }) => page))].sort();
  const verdicts: Verdict[] = [];
  let unjudged = 0;
  for (const figure of LOAD_LIMITS) {
    const limit = limits[figure];
    if (limit === undefined) continue;
    const common = { ...NO_FINDING, what: `load ${figure}`, limit, place: ["load", figure] } as const;
    const tooFew = (subject: string, n: number, detail: string): Verdict =>
      Object.freeze({ ...common, outcome: "too-few", subject, measured: null, n, detail });
    if (pages.length === 0) verdicts.push(tooFew("*", 0, "no page load"));
    const needed = figure === "p95" ? (limits.n ?? LEAST_LOADS) : 1;
    const all = pages.map((page): Verdict => {
      const own = loads.filter((one) => one.page === page);
      if (own.length < needed) return tooFew(page, own.length, `${needed} needed`);
      const measured = figure === "p95" ? p95Of(own) : Math.max(...own.map((one) => one[figure]));
      const outcome = measured > limit ? "broken" : "kept";
      return Object.freeze({ ...common, outcome, subject: page, measured, n: own.length, detail: "" });
    });
    const judged = all.filter(({ outcome }) => outcome !== "too-few");
    verdicts.push(...(judged.length > 0 ? judged : all));
    if (judged.length > 0) unjudged += all.length - judged.length;
  }
  return Object.freeze({ verdicts: Object.freeze(verdicts), unjudged });
}

function p95Of(loads: readonly LoadFigures[]): number {
  return percentileOf(Float64Array.from(loads, ({ duration }) => duration).sort(), 0.95);
}
