import type { Direction } from "../model/trend.ts";
import { fisherExact } from "../stats/fisher-exact.ts";
import {
  type LatencySample,
  medianOf,
  percentileOf,
  pooledOf,
  type Sample,
  type SizeSample,
} from "../stats/percentile.ts";
import { type MannWhitney, mannWhitneyOf } from "../stats/ranks.ts";
import { type Evidence, middleEvidence, noteOf, rateEvidence, tailEvidence } from "./change-evidence.ts";

/*
 * A figure counts as changed if all of this holds: a test finds that its values differ from those of earlier sessions,
 * the figure lies outside the range of these sessions, and it differs from the median of their figures by more than
 * `stableWidth`.
 *
 *   sessions      ·  ·· ·   ·
 *                 └─ range ─┘
 *   now                 o             in the range: stable
 *   now                             o above the range, and p < 0.01: up
 */

/** docs/specification.md, Trend: a change counts if its p is below this value. */
export const SIGNIFICANT = 0.01;

/** A change of p95 must show in the ranks, or in the share of values above this percentile of the baseline. */
const TAIL = 0.95;

/** The most requests per side in Fisher's test, which takes longer for more requests. Larger counts are scaled down. */
const MOST_COUNTED = 20_000;

/** The stable band: a change is stable if it is at most the larger of these two bounds. */
export interface Band {
  /** In percent of the baseline. */
  readonly percent: number;
  /** In the metric's own unit. */
  readonly absolute: number;
  /** The most that `absolute` may be, in percent of the baseline; absent: any. */
  readonly atMost?: number;
}

/**
 * The comparison of a figure with its baseline. The note is computed when it is read, since most notes are never read.
 */
export interface Verdict {
  readonly direction: Direction;
  /**
   * For the direction "stable", why a change could not have been detected: "can't tell: n = 7, about 60 needed". `null`
   * if the data suffice, and for other directions.
   */
  readonly note: string | null;
}

/** The errors of an endpoint in one session. */
export interface ErrorSample {
  readonly errors: number;
  readonly requests: number;
}

/** The largest change from a baseline, up or down, that counts as stable. */
export function stableWidth(baseline: number, band: Band): number {
  const absolute = band.atMost === undefined ? band.absolute : Math.min(band.absolute, (band.atMost / 100) * baseline);
  return Math.max(absolute, (band.percent / 100) * baseline);
}

/** The range of a figure over the baseline sessions, and its median. */
interface FigureRange {
  readonly low: number;
  readonly high: number;
  readonly middle: number;
}

/** `figures`: one for each session, at least one. */
function rangeOf(figures: readonly number[]): FigureRange {
  return { low: Math.min(...figures), high: Math.max(...figures), middle: medianOf(figures) };
}

/**
 * "up" or "down" if the figure lies outside the sessions' range and outside the stable band around their median; else
 * "stable".
 */
function directionOf(figure: number, { low, high, middle }: FigureRange, band: Band): Direction {
  if (Math.abs(figure - middle) <= stableWidth(middle, band)) return "stable";
  if (figure > high) return "up";
  return figure < low ? "down" : "stable";
}

/** One endpoint's samples from the baseline sessions. There must be at least one. */
export class SampleBaseline<One extends Sample> {
  readonly sessions: readonly One[];
  #pooled: Sample | null = null;
  readonly #evidence = new Map<string, Evidence>();
  readonly #ranges = new Map<keyof One, FigureRange>();

  constructor(sessions: readonly One[]) {
    this.sessions = sessions;
  }

  /** The samples of all sessions together, merged on first use. */
  get pooled(): Sample {
    this.#pooled ??= pooledOf(this.sessions);
    return this.#pooled;
  }

  /** The range of one figure over the sessions. */
  rangeOf(figure: keyof One): FigureRange {
    let known = this.#ranges.get(figure);
    if (known === undefined) {
      known = rangeOf(this.sessions.map((session) => Number(session[figure])));
      this.#ranges.set(figure, known);
    }
    return known;
  }

  /** The evidence needed to detect a change by the factor `growth` with a p below `significant`. */
  evidence(part: "middle" | "tail", growth: number, significant: number): Evidence {
    const key = `${part} ${growth} ${significant}`;
    let known = this.#evidence.get(key);
    if (known === undefined) {
      known =
        part === "middle"
          ? middleEvidence(this.pooled, growth, significant)
          : tailEvidence(this.pooled, TAIL, growth, significant);
      this.#evidence.set(key, known);
    }
    return known;
  }
}

/** How p50 and p95 changed. A change counts only if its p is below `significant`. */
export function latencyVerdicts(
  current: LatencySample,
  baseline: SampleBaseline<LatencySample>,
  band: Band,
  significant = SIGNIFICANT,
): { readonly p50: Verdict; readonly p95: Verdict } {
  const [p50s, p95s] = [baseline.rangeOf("p50"), baseline.rangeOf("p95")];
  let test: MannWhitney | null = null;
  const isRankShifted = (direction: Direction) => {
    test ??= mannWhitneyOf(current, baseline.pooled);
    return isShift(test, direction, significant);
  };
  const p50 = tested(directionOf(current.p50, p50s, band), isRankShifted);
  const p95 = tested(
    directionOf(current.p95, p95s, band),
    (direction) => isRankShifted(direction) || tailDiffers(current, baseline.pooled, direction, significant),
  );
  return {
    p50: verdictOf(p50, () => noteFor(current, baseline, "middle", p50s.middle, band, significant)),
    p95: verdictOf(p95, () => noteFor(current, baseline, "tail", p95s.middle, band, significant)),
  };
}

/**
 * How the latencies of two sessions differ. Exchanged sessions have the opposite verdicts: a change counts only if it
 * shows from either side, and the data suffice only if they do for either side.
 */
export function verdictsBetween(
  before: LatencySample,
  now: LatencySample,
  band: Band,
  significant = SIGNIFICANT,
): { readonly p50: Verdict; readonly p95: Verdict } {
  const [earlier, later] = [new SampleBaseline([before]), new SampleBaseline([now])];
  const ahead = latencyVerdicts(now, earlier, band, significant);
  const reverse = latencyVerdicts(before, later, band, significant);
  const of = (figure: "p50" | "p95", part: "middle" | "tail") => {
    const { direction } = ahead[figure];
    const sizeIn = (baseline: SampleBaseline<LatencySample>) =>
      baseline.evidence(part, growthOf(baseline.rangeOf(figure).middle, band), significant).size;
    return verdictOf(reverse[figure].direction === OPPOSITES[direction] ? direction : "stable", () =>
      noteOf({ size: Math.max(sizeIn(earlier), sizeIn(later)) }, now.count, before.count, 1),
    );
  };
  return { p50: of("p50", "middle"), p95: of("p95", "tail") };
}

const OPPOSITES: Readonly<Record<Direction, Direction>> = { up: "down", down: "up", stable: "stable" };

/** How the mean size changed. */
export function sizeVerdict(
  current: SizeSample,
  baseline: SampleBaseline<SizeSample>,
  band: Band,
  significant = SIGNIFICANT,
): Verdict {
  const means = baseline.rangeOf("mean");
  const direction = tested(directionOf(current.mean, means, band), (one) =>
    isShift(mannWhitneyOf(current, baseline.pooled), one, significant),
  );
  return verdictOf(direction, () => noteFor(current, baseline, "middle", means.middle, band, significant));
}

/** How the share of errors changed. `band.absolute` is in percentage points. */
export function errorVerdict(
  current: ErrorSample,
  sessions: readonly ErrorSample[],
  band: Band,
  significant = SIGNIFICANT,
): Verdict {
  const rates = rangeOf(sessions.map(rateOf));
  const pooled = {
    errors: sessions.reduce((sum, { errors }) => sum + errors, 0),
    requests: sessions.reduce((sum, { requests }) => sum + requests, 0),
  };
  const outside = directionOf(rateOf(current), rates, band);
  const direction = tested(outside, () => shareDiffers(current, pooled, significant));
  const isMuch = Math.abs(rateOf(current) - rates.middle) > stableWidth(rates.middle, band);
  const evidence = () => rateEvidence(rateOf(current) / 100, pooled.errors / pooled.requests, significant);
  return verdictOf(direction, () =>
    isMuch ? noteOf(evidence(), current.requests, pooled.requests, sessions.length) : null,
  );
}

/** The share of failed requests, in percent. */
function rateOf({ errors, requests }: ErrorSample): number {
  return (errors / requests) * 100;
}

function tested(outside: Direction, isReal: (direction: Direction) => boolean): Direction {
  return outside === "stable" || isReal(outside) ? outside : "stable";
}

function verdictOf(direction: Direction, note: () => string | null): Verdict {
  return {
    direction,
    get note() {
      return direction === "stable" ? note() : null;
    },
  };
}

/** Whether the rank test shows a change in this direction. */
function isShift({ p, superiority }: MannWhitney, direction: Direction, significant: number): boolean {
  return p < significant && superiority > 0.5 === (direction === "up");
}

/** Whether the share of values above the baseline's own p95 changed in this direction. */
function tailDiffers(current: Sample, pooled: Sample, direction: Direction, significant: number): boolean {
  const cut = percentileOf(pooled.values, TAIL);
  const [now, before] = [countedAbove(current, cut), countedAbove(pooled, cut)];
  const isUp = now.errors * before.requests > before.errors * now.requests;
  return isUp === (direction === "up") && shareDiffers(now, before, significant);
}

function countedAbove({ count, values }: Sample, cut: number): ErrorSample {
  let above = 0;
  for (let index = 0; index < values.length; index += 1) if ((values[index] as number) > cut) above += 1;
  return { errors: Math.round((above / values.length) * count), requests: count };
}

/**
 * Whether more values lie above an earlier sample's median than by chance (the median test): for a sample of which only
 * the median and the count are known.
 */
export function isAboveMedian(
  current: Sample,
  { p50, count }: Pick<LatencySample, "p50" | "count">,
  significant: number,
): boolean {
  const [now, before] = [countedAbove(current, p50), { errors: Math.floor(count / 2), requests: count }];
  return now.errors * before.requests > before.errors * now.requests && shareDiffers(now, before, significant);
}

/** Whether the shares differ by Fisher's exact test with a p below `significant`. */
export function shareDiffers(now: ErrorSample, before: ErrorSample, significant: number): boolean {
  const { errors: a, requests: n } = scaledDown(now);
  const { errors: b, requests: m } = scaledDown(before);
  return fisherExact(a, n - a, b, m - b) < significant;
}

function scaledDown({ errors, requests }: ErrorSample): ErrorSample {
  if (requests <= MOST_COUNTED) return { errors, requests };
  return { errors: Math.round((errors / requests) * MOST_COUNTED), requests: MOST_COUNTED };
}

function noteFor<One extends Sample>(
  current: Sample,
  baseline: SampleBaseline<One>,
  part: "middle" | "tail",
  figure: number,
  band: Band,
  significant: number,
): string | null {
  const evidence = baseline.evidence(part, growthOf(figure, band), significant);
  return noteOf(evidence, current.count, baseline.pooled.count, baseline.sessions.length);
}

/** The smallest growth that the data must be able to show, unless the stable band is wider. */
const LEAST_CHANGE = 0.25;

function growthOf(figure: number, band: Band): number {
  return 1 + Math.max(LEAST_CHANGE, figure > 0 ? stableWidth(figure, band) / figure : 0);
}
