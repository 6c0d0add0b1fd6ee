import type { CompareVerdict } from "../../messages/compare-messages.ts";
import { type Endpoint, endpointAt } from "../../model/endpoint.ts";
import type { Finding } from "../../model/finding.ts";
import { fisherExact } from "../../stats/fisher-exact.ts";
import { SIGNIFICANT } from "../change.ts";
import type { Report } from "./finding.ts";

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

type Judged = Pick<Report, "exchanges" | "findings">;

/** A finding's cost for each request of its session changed if it did so by more than this share (as the stable band). */
const STABLE_SHARE = 0.1;

/**
 * Compares the findings of two sessions. A finding is worse if it costs more for each request of its session, and if a
 * test shows it: Compare calls its endpoint slower, or it occurs in a larger share of the requests (Fisher's exact test,
 * p < 0.01, shared out over the findings). Better is the same the other way round.
 */
export function findingChangesOf(
  before: Judged,
  now: Judged,
  verdicts: ReadonlyMap<Endpoint, CompareVerdict>,
): FindingChanges {
  const earlier = byKey(before.findings);
  const known: KnownFinding[] = [];
  const added: Finding[] = [];
  for (const finding of now.findings) {
    const twin = earlier.get(findingKeyOf(finding))?.shift();
    if (twin === undefined) added.push(finding);
    else known.push({ before: twin, now: finding });
  }
  const left = new Set([...earlier.values()].flat());
  const directions = known.map((pair) => directionOf(pair, before, now, verdicts, SIGNIFICANT / known.length));
  const pairsOf = (direction: Direction) => known.filter((_, index) => directions[index] === direction);
  return Object.freeze({
    added,
    gone: before.findings.filter((finding) => left.has(finding)),
    worse: pairsOf("up"),
    better: pairsOf("down"),
    same: pairsOf("same"),
  });
}

/** What a finding is about, without its figures: findings of two sessions with equal keys are the same one. */
function findingKeyOf({ kind, endpoint, origin, attribute }: Finding): string {
  const place = endpoint === null ? (origin ?? "") : endpointKeyOf(endpoint);
  return JSON.stringify([kind, place, attribute?.name ?? null]);
}

function byKey(findings: readonly Finding[]): ReadonlyMap<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const own = found.get(findingKeyOf(finding));
    if (own === undefined) found.set(findingKeyOf(finding), [finding]);
    else own.push(finding);
  }
  return found;
}

function endpointKeyOf({ method, origin, path, operation }: NonNullable<Finding["endpoint"]>): Endpoint {
  return endpointAt(method, origin, path, operation);
}

type Direction = "up" | "down" | "same";

function directionOf(
  pair: KnownFinding,
  before: Judged,
  now: Judged,
  verdicts: ReadonlyMap<Endpoint, CompareVerdict>,
  significant: number,
): Direction {
  const [costBefore, costNow] = costsOf(pair);
  const ratio = costNow / Math.max(1, now.exchanges) / (costBefore / Math.max(1, before.exchanges));
  if (!(Math.abs(ratio - 1) > STABLE_SHARE)) return "same";
  const { endpoint } = pair.now;
  const verdict = endpoint === null ? undefined : verdicts.get(endpointKeyOf(endpoint));
  const isShown = verdict === (ratio > 1 ? "slower" : "faster") || isOftener(pair, before, now, ratio > 1, significant);
  if (!isShown) return "same";
  return ratio > 1 ? "up" : "down";
}

/** The costs of both in the same measure: time if both have one, else bytes, else occurrences. */
function costsOf({ before, now }: KnownFinding): readonly [before: number, now: number] {
  if (before.time !== null && now.time !== null) return [before.time, now.time];
  return before.bytes !== null && now.bytes !== null ? [before.bytes, now.bytes] : [before.count, now.count];
}

/** Whether a larger (`isUp`) or smaller share of the requests shows the finding, by Fisher's exact test. */
function isOftener(pair: KnownFinding, before: Judged, now: Judged, isUp: boolean, significant: number): boolean {
  const [a, c] = [Math.min(pair.now.count, now.exchanges), Math.min(pair.before.count, before.exchanges)];
  const isLarger = a * before.exchanges > c * now.exchanges;
  return isLarger === isUp && fisherExact(a, now.exchanges - a, c, before.exchanges - c) < significant;
}
