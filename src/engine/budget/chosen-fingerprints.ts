import { failure, type Result, success } from "../model/result.ts";
import type { AcceptedCost } from "./accepted-file.ts";

/** What can be accepted: a fingerprint, its finding in words, and what it costs. */
export interface Candidate {
  readonly fingerprint: string;
  readonly finding: string;
  readonly cost: AcceptedCost;
}

/**
 * The candidates that `chosen` names, each fingerprint once, with its highest cost; all for `null`. `count`: how many
 * findings have it. A failure if digits fit no fingerprint, or several.
 */
export function chosenFrom(
  candidates: readonly Candidate[],
  chosen: readonly string[] | null,
): Result<readonly (Candidate & { readonly count: number })[]> {
  const counts = new Map<string, Candidate & { readonly count: number }>();
  for (const one of candidates) {
    const known = counts.get(one.fingerprint);
    const isCostlier = known === undefined || costPerRequest(one) > costPerRequest(known);
    counts.set(one.fingerprint, { ...(isCostlier ? one : known), count: (known?.count ?? 0) + 1 });
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

function costPerRequest({ cost: { time, bytes, count = 0, requests = 1, p50 } }: Candidate): number {
  return (time ?? bytes ?? p50 ?? count) / requests;
}

/** The most candidates that a sentence names. */
const MOST_NAMED = 20;

function listed(candidates: readonly Candidate[]): string {
  const named = candidates.slice(0, MOST_NAMED).map(({ fingerprint, finding }) => `${fingerprint} (${finding})`);
  const more = candidates.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
