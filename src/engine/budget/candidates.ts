import { failure, type Result, success } from "../model/result.ts";

/** What can be accepted: a fingerprint, and its finding in words. */
export interface Candidate {
  readonly fingerprint: string;
  readonly finding: string;
}

/**
 * The candidates that `chosen` names, each fingerprint once; all for `null`. `count`: how many findings have it. A failure
 * if digits fit no fingerprint, or several.
 */
export function chosenFrom(
  candidates: readonly Candidate[],
  chosen: readonly string[] | null,
): Result<readonly (Candidate & { readonly count: number })[]> {
  const counts = new Map<string, Candidate & { readonly count: number }>();
  for (const one of candidates) {
    const count = (counts.get(one.fingerprint)?.count ?? 0) + 1;
    counts.set(one.fingerprint, { ...one, count });
  }
  const all = [...counts.values()];
  if (all.length === 0) return failure("There is no finding to accept.");
  if (chosen === null) return success(all);
  const found = new Set<(typeof all)[number]>();
  for (const digits of chosen) {
    const matching = all.filter(({ fingerprint }) => fingerprint.startsWith(digits));
    const [first, other] = matching;
    if (first === undefined) return failure(`No finding has the fingerprint ${digits}. There are: ${listed(all)}.`);
    if (other !== undefined) return failure(`${digits} fits ${matching.length} fingerprints: ${listed(matching)}.`);
    found.add(first);
  }
  return success([...found]);
}

/** The most candidates that a sentence names. */
const MOST_NAMED = 20;

function listed(candidates: readonly Candidate[]): string {
  const named = candidates.slice(0, MOST_NAMED).map(({ fingerprint, finding }) => `${fingerprint} (${finding})`);
  const more = candidates.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
