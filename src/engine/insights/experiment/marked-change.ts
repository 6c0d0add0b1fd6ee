import type { CompareVerdict } from "../../messages/compare-messages.ts";
import { DEFAULT_SETTINGS } from "../../model/settings.ts";
import type { Milliseconds } from "../../model/units.ts";
import { type LatencySample, latencySampleIn } from "../../stats/percentile.ts";
import { type Shift, shiftOf } from "../../stats/ranks.ts";
import { SIGNIFICANT, verdictsBetween } from "../figure-change.ts";
import { bandsOf } from "../trends.ts";

/*
 * Before and after: a user marks what runs as A or B, in turns, and the units that began and ended meanwhile are
 * compared as two sessions are.
 */

/** What runs from a moment on; `null`: neither. */
export interface MarkMoment {
  /** Epoch ms. */
  readonly at: number;
  readonly mark: "A" | "B" | null;
}

/** A page load or walk, as far as it is compared. */
export interface ComparedUnit {
  /** Epoch ms. */
  readonly start: number;
  readonly end: number;
  /** The latencies of its exchanges, by endpoint. */
  readonly latencies: ReadonlyMap<string, readonly Milliseconds[]>;
}

/** What a model said that a unit would gain by the change. */
export interface Prediction {
  readonly byLinks: Milliseconds;
  readonly atMost: Milliseconds;
}

/** How the times of A became those of B. */
export interface TimesChange {
  readonly kind: Exclude<CompareVerdict, "absent">;
  readonly counts: { readonly A: number; readonly B: number };
  /** How much less B takes, with its interval of 95 %; `null` with too few values. */
  readonly gain: Shift | null;
  /** Why no change could be detected, such as "can't tell: n = 7, about 60 needed"; else `null`. */
  readonly note: string | null;
}

export interface MarkedChange {
  readonly units: TimesChange;
  /** How often A and B took over from each other, and began: A, B, A are three. */
  readonly turns: number;
  /** The units that began or ended beside both. */
  readonly leftOut: number;
  /** The endpoints with latencies in both, by name. */
  readonly endpoints: readonly (TimesChange & { readonly endpoint: string })[];
  /** Whether the gain is as predicted; "open": no gain is known. `null` without a prediction. */
  readonly prediction: "held" | "more" | "less" | "open" | null;
}

/** docs/specification.md, Compare: the probability that any endpoint without a change has a verdict. */
const FALSE_IN_ALL = 0.02;

/** Compares units of A with units of B. `moments`: by time. */
export function markedChangeOf(
  units: readonly ComparedUnit[],
  moments: readonly MarkMoment[],
  predicted: Prediction | null,
): MarkedChange {
  const marked = { A: [] as ComparedUnit[], B: [] as ComparedUnit[] };
  let last: MarkMoment["mark"] = null;
  let turns = 0;
  for (const unit of units.toSorted((one, other) => one.start - other.start)) {
    const mark = markOf(unit, moments);
    if (mark === null) continue;
    marked[mark].push(unit);
    if (mark !== last) turns += 1;
    last = mark;
  }
  const durationsOf = (side: readonly ComparedUnit[]) => side.map(({ start, end }) => end - start);
  const whole = timesChangeOf(durationsOf(marked.A), durationsOf(marked.B), SIGNIFICANT);
  return Object.freeze({
    units: whole,
    turns,
    leftOut: units.length - marked.A.length - marked.B.length,
    endpoints: timesChangesOf(latenciesOf(marked.A), latenciesOf(marked.B)),
    prediction: predicted === null ? null : predictionOf(whole.gain, predicted),
  });
}

/** The mark that held during the whole unit; `null` if none did. */
function markOf({ start, end }: ComparedUnit, moments: readonly MarkMoment[]): MarkMoment["mark"] {
  let mark: MarkMoment["mark"] = null;
  for (const moment of moments) {
    if (moment.at <= start) mark = moment.mark;
    else if (moment.at < end && moment.mark !== mark) return null;
  }
  return mark;
}

/** How the times changed of each endpoint that is in both maps, by name. `FALSE_IN_ALL` holds for all together. */
export function timesChangesOf(
  before: ReadonlyMap<string, readonly Milliseconds[]>,
  now: ReadonlyMap<string, readonly Milliseconds[]>,
): MarkedChange["endpoints"] {
  const both = [...before.keys()].filter((endpoint) => now.has(endpoint)).sort();
  const significant = Math.min(SIGNIFICANT, FALSE_IN_ALL / Math.max(1, both.length));
  return both.map((endpoint) => {
    return { endpoint, ...timesChangeOf(before.get(endpoint) ?? [], now.get(endpoint) ?? [], significant) };
  });
}

function latenciesOf(units: readonly ComparedUnit[]): ReadonlyMap<string, readonly Milliseconds[]> {
  const all = new Map<string, Milliseconds[]>();
  for (const { latencies } of units)
    for (const [endpoint, own] of latencies) all.set(endpoint, [...(all.get(endpoint) ?? []), ...own]);
  return all;
}

function timesChangeOf(a: readonly Milliseconds[], b: readonly Milliseconds[], significant: number): TimesChange {
  const [before, now] = [latencySampleIn(a), latencySampleIn(b)];
  const counts = { A: a.length, B: b.length };
  if (before === null || now === null) return { kind: "unknown", counts, gain: null, note: null };
  return { ...kindOf(before, now, significant), counts, gain: shiftOf(before, now) };
}

function kindOf(before: LatencySample, now: LatencySample, significant: number): Pick<TimesChange, "kind" | "note"> {
  const { p50, p95 } = verdictsBetween(before, now, bandsOf(DEFAULT_SETTINGS).latency, significant);
  const direction = p95.direction === "stable" ? p50.direction : p95.direction;
  if (direction !== "stable") return { kind: direction === "up" ? "slower" : "faster", note: null };
  if (p50.note !== null) return { kind: "unknown", note: p50.note };
  return { kind: p95.note === null ? "same" : "same-median", note: p95.note };
}

/** Whether the interval of the gain meets the predicted range. */
function predictionOf(gain: Shift | null, { byLinks, atMost }: Prediction): MarkedChange["prediction"] {
  if (gain === null) return "open";
  if (gain.low > atMost) return "more";
  return gain.high < byLinks ? "less" : "held";
}
