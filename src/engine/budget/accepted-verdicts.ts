import type { AcceptedEntry } from "./accepted-file.ts";
import { findingVerdict } from "./finding-verdicts.ts";
import type { Found, Grown, Verdict } from "./verdict.ts";

/**
 * Marks what the entries accept: a broken verdict with an entry becomes "accepted", or stays broken if the entry has
 * expired. Adds a verdict for each such finding that has none. `today`: the day by UTC, as in "2026-12-31". `growthOf`:
 * from `growthIn`.
 */
export function withAcceptance(
  verdicts: readonly Verdict[],
  found: readonly Found[],
  entries: readonly AcceptedEntry[],
  today: string,
  growthOf: (entry: AcceptedEntry) => Grown | null,
): readonly Verdict[] {
  const byFingerprint = new Map(entries.map((entry) => [entry.fingerprint, entry]));
  const marked = (verdict: Verdict): Verdict | null => {
    const entry = byFingerprint.get(verdict.fingerprint ?? "");
    if (entry === undefined) return null;
    const { reason, until = null } = entry;
    const acceptance = { reason, until, expired: until !== null && until < today, grew: growthOf(entry) };
    return Object.freeze({ ...verdict, outcome: acceptance.expired ? "broken" : "accepted", acceptance });
  };
  const judged = new Set(verdicts.map(({ fingerprint }) => fingerprint));
  const others = found.filter(({ fingerprint }) => !judged.has(fingerprint ?? null));
  return Object.freeze([
    ...verdicts.map((verdict) => (verdict.outcome === "broken" ? (marked(verdict) ?? verdict) : verdict)),
    ...others.flatMap((one) => marked(findingVerdict(one)) ?? []),
  ]);
}

/** Sentences about entries that accept no finding, and those that accept several. `found`: of all sources together. */
export function acceptanceNotes(
  file: string,
  entries: readonly AcceptedEntry[],
  found: readonly { readonly fingerprint: string; readonly source: string }[],
): readonly string[] {
  const sourcesOf = new Map<string, string[]>();
  for (const { fingerprint, source } of found)
    sourcesOf.set(fingerprint, [...(sourcesOf.get(fingerprint) ?? []), source]);
  return entries.flatMap(({ fingerprint, finding }) => {
    const name = `${file}: ${fingerprint}${finding === undefined ? "" : ` (${finding})`}`;
    const sources = sourcesOf.get(fingerprint) ?? [];
    if (sources.length === 0) return [`${name} fits no finding.`];
    const twice = sources.find((source, index) => sources.indexOf(source) !== index);
    if (twice === undefined) return [];
    const count = sources.filter((source) => source === twice).length;
    return [`${name} fits ${count} findings of ${twice}, and accepts them all.`];
  });
}
