import { FINDING_KINDS, type FindingKind } from "../model/finding.ts";
import type { FindingLimits } from "./budget.ts";
import { type BudgetPath, type Found, NO_FINDING, type Verdict } from "./verdict.ts";

/**
 * Looks for each kind of finding that must not be, and for findings that cost more time than their kind may. `path`: of
 * the limits in the budget. `where`: as in " at /orders"; "" for the whole session.
 */
export function findingVerdictsOf(
  limits: FindingLimits,
  found: readonly Found[],
  path: BudgetPath,
  where = "",
): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  const judge = (kind: FindingKind, own: BudgetPath, verdictOf: (one: Found) => Verdict): void => {
    const those = found.filter((finding) => finding.kind === kind);
    verdicts.push(...(those.length === 0 ? [absentVerdict(kind, own, where)] : those.map(verdictOf)));
  };
  for (const [index, kind] of limits.no.entries()) {
    const own = [...path, "no", index];
    judge(kind, own, (one) => findingVerdict(one, own));
  }
  for (const kind of FINDING_KINDS) {
    const limit = limits[kind]?.time;
    if (limit === undefined) continue;
    const own = [...path, kind, "time"];
    judge(kind, own, (one) => costVerdict(one, limit, own));
  }
  return verdicts;
}

const FINDING = { ...NO_FINDING, what: "finding", limit: null, measured: null } as const;

/** A finding that must not be. `path`: of the limit; `null` if the budget does not name it. */
export function findingVerdict(found: Found, path: BudgetPath | null = null): Verdict {
  return Object.freeze({ ...FINDING, outcome: "broken", place: path, ...factsOf(found) });
}

/** A finding that may cost `limit` ms. */
function costVerdict(found: Found, limit: number, path: BudgetPath): Verdict {
  const { time = null } = found;
  const common = { ...FINDING, place: path, limit, measured: time, ...factsOf(found) };
  if (time === null) return Object.freeze({ ...common, outcome: "too-few", detail: "its time is not known" });
  return Object.freeze({ ...common, outcome: time > limit ? "broken" : "kept" });
}

function factsOf({ kind, count, summary, fingerprint, time = null, evidence = [] }: Found) {
  return { subject: kind, time, n: count, detail: summary, fingerprint: fingerprint ?? null, evidence } as const;
}

function absentVerdict(kind: FindingKind, path: BudgetPath, where: string): Verdict {
  return Object.freeze({ ...FINDING, outcome: "kept", place: path, subject: kind, n: 0, detail: where.trimStart() });
}
