import type { CompareVerdict } from "../../messages/compare-messages.ts";
import { type Endpoint, endpointKeyOf } from "../../model/endpoint.ts";
import type { Finding } from "../../model/finding.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";
import { SIGNIFICANT, shareDiffers } from "../figure-change.ts";
import { groupedBy } from "../grouped.ts";
import type { Report } from "./finding-report.ts";

/** A finding that both sessions have. */
export interface KnownFinding {
  readonly before: Finding;
  readonly now: Finding;
}

/** How the findings of a session differ from those of an earlier one, each list with the costliest first. */
export interface FindingChanges {
  readonly added: readonly Finding[];
  readonly gone: readonly Finding[];
  readonly worse: readonly KnownFinding[];
  readonly better: readonly KnownFinding[];
  /** Findings that both have, and of which no change can be shown. */
  readonly same: readonly KnownFinding[];
}

/** A session's findings, each with its fingerprint. `ungated`: also those that are too small to be listed. */
interface Judged extends Pick<Report, "exchanges" | "findings"> {
  readonly ungated: readonly Finding[];
}

/** What the findings of one fingerprint cost together, in a session of so many requests; `null` if unknown. */
export interface FindingCost {
  readonly time: Milliseconds | null;
  readonly bytes: Bytes | null;
  readonly count: number;
  readonly requests: number;
}

/** A cost for each request of its session changed if it did so by more than this share (as the stable band). */
export const STABLE_SHARE = 0.1;

/**
 * Compares the findings of two sessions. Those of one fingerprint are one finding, whose costs are summed; so are an
 * endpoint's failures (`failuresIn`). It is new or gone only if the other session does not hold it at all: its share of
 * the waiting also changes when others do. It is worse if `costChangeOf` says so, given Compare's verdict on its
 * endpoint and p < 0.01, shared out over the findings.
 */
export function findingChangesOf(
  before: Judged,
  now: Judged,
  verdicts: ReadonlyMap<Endpoint, CompareVerdict>,
): FindingChanges {
  const [earlier, later] = [byFingerprint(before.findings), byFingerprint(now.findings)];
  const failures = failuresIn(earlier, later);
  const [smallEarlier, smallLater] = [byFingerprint(before.ungated), byFingerprint(now.ungated)];
  const known = [...later].flatMap(([fingerprint, those]) => {
    const twins = earlier.get(fingerprint) ?? failures.get(those) ?? smallEarlier.get(fingerprint);
    return twins === undefined ? [] : [{ twins, those }];
  });
  const matched = new Set(known.map(({ twins }) => twins));
  for (const [fingerprint, twins] of earlier) {
    const those = matched.has(twins) ? undefined : smallLater.get(fingerprint);
    if (those !== undefined) known.push({ twins, those });
  }
  const changes = known.map(({ twins, those }) => {
    const endpoint = those.find((finding) => finding.endpoint !== null)?.endpoint ?? null;
    const verdict = endpoint === null ? undefined : verdicts.get(endpointKeyOf(endpoint));
    const costs = [costOf(twins, before.exchanges), costOf(those, now.exchanges)] as const;
    return costChangeOf(...costs, verdict, SIGNIFICANT / known.length);
  });
  const pairsOf = (change: CostChange) =>
    known.filter((_, index) => changes[index] === change).flatMap(({ twins, those }) => pairsIn(twins, those));
  return Object.freeze({
    added: now.findings.filter((one) => !known.some(({ those }) => those.includes(one))),
    gone: before.findings.filter((one) => !known.some(({ twins }) => twins.includes(one))),
    worse: pairsOf("worse"),
    better: pairsOf("better"),
    same: pairsOf("same"),
  });
}

type ByFingerprint = ReadonlyMap<string, readonly Finding[]>;

/**
 * The earlier findings of endpoints that failed in both sessions, by the later ones: one session tells the failures as
 * `errors`, the other as `retries`, and neither has the other's finding.
 */
function failuresIn(earlier: ByFingerprint, later: ByFingerprint): ReadonlyMap<readonly Finding[], readonly Finding[]> {
  const unmatched = (own: ByFingerprint, other: ByFingerprint) =>
    new Map(
      [...own].flatMap(([fingerprint, those]) => {
        const [first] = those;
        const isFailure = first?.kind === "errors" || first?.kind === "retries";
        if (!isFailure || first.endpoint === null || other.has(fingerprint)) return [];
        return [[endpointKeyOf(first.endpoint), those] as const];
      }),
    );
  const before = unmatched(earlier, later);
  const pairs = [...unmatched(later, earlier)].map(([endpoint, those]) => [those, before.get(endpoint)] as const);
  return new Map(pairs.flatMap(([those, twins]) => (twins === undefined ? [] : [[those, twins]])));
}

/** The findings by fingerprint, in their order. */
export function byFingerprint(findings: readonly Finding[]): ByFingerprint {
  return groupedBy(findings, ({ fingerprint }) => {
    if (fingerprint === undefined) throw new Error("a compared finding has a fingerprint");
    return fingerprint;
  });
}

/** Findings of one fingerprint side by side. Where one side has fewer, its last one stands beside all that are left. */
function pairsIn(before: readonly Finding[], now: readonly Finding[]): readonly KnownFinding[] {
  const at = (findings: readonly Finding[], index: number) => findings[Math.min(index, findings.length - 1)] as Finding;
  return Array.from({ length: Math.max(before.length, now.length) }, (_, index) => {
    return { before: at(before, index), now: at(now, index) };
  });
}

/** The cost of findings, of which there is at least one. */
export function costOf(findings: readonly Finding[], requests: number): FindingCost {
  const sumOf = (numberIn: (finding: Finding) => number | null) =>
    findings.reduce<number | null>((sum, finding) => {
      const own = numberIn(finding);
      return sum === null || own === null ? null : sum + own;
    }, 0);
  const [time, bytes] = [sumOf((finding) => finding.time), sumOf((finding) => finding.bytes)];
  return { time, bytes, count: findings.reduce((sum, { count }) => sum + count, 0), requests };
}

type CostChange = "worse" | "better" | "same";

/**
 * The one rule for "worse": the cost for each request of its session grew by more than 10 %, and a test shows it.
 * Either `verdict` calls the latencies slower, or a larger share of the requests shows the finding (Fisher's exact test
 * with p below `significant`). Better is the same the other way round.
 */
export function costChangeOf(
  before: FindingCost,
  now: FindingCost,
  verdict: CompareVerdict | undefined,
  significant: number,
): CostChange {
  const measure = measureOf(before, now);
  const perRequest = (cost: FindingCost) => (cost[measure] ?? 0) / Math.max(1, cost.requests);
  const ratio = perRequest(now) / perRequest(before);
  if (!(Math.abs(ratio - 1) > STABLE_SHARE)) return "same";
  const isUp = ratio > 1;
  const isShown = verdict === (isUp ? "slower" : "faster") || isOftener(before, now, isUp, significant);
  if (!isShown) return "same";
  return isUp ? "worse" : "better";
}

/** What two costs are compared by: time if both have one, else bytes, else occurrences. */
export function measureOf(before: FindingCost, now: FindingCost): "time" | "bytes" | "count" {
  if (before.time !== null && now.time !== null) return "time";
  return before.bytes !== null && now.bytes !== null ? "bytes" : "count";
}

/** Whether a larger (`isUp`) or smaller share of the requests shows the finding. */
function isOftener(before: FindingCost, now: FindingCost, isUp: boolean, significant: number): boolean {
  const [a, c] = [Math.min(now.count, now.requests), Math.min(before.count, before.requests)];
  const isLarger = a * before.requests > c * now.requests;
  const [later, earlier] = [
    { errors: a, requests: now.requests },
    { errors: c, requests: before.requests },
  ];
  return isLarger === isUp && shareDiffers(later, earlier, significant);
}
