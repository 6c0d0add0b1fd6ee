import type { Direction, TrendMetric } from "../../engine/model/trend.ts";
import { bytesPhrase } from "./bytes.ts";
import { durationText } from "./duration.ts";
import { changeShareText, percentText, timesText } from "./percent.ts";

/** A change as glyph, word and size. All three say the same, so that colour alone never carries the meaning. */
export type ChangeText = ReturnType<typeof changeTextOf>;

/**
 * The start of a note that says why no change could be detected (engine/insights/change-evidence.ts), and its start if
 * only the slowest requests lack evidence.
 */
const CANNOT_TELL = "can't tell: ";
const TAIL_CANNOT_TELL = `tail: ${CANNOT_TELL}`;

const WORDS: Readonly<Record<TrendMetric, Readonly<Record<Direction, string>>>> = {
  latency: { up: "slower", down: "faster", stable: "stable" },
  errorRate: { up: "more errors", down: "fewer errors", stable: "stable" },
  payload: { up: "larger", down: "smaller", stable: "stable" },
};

const KINDS = { up: "is-rising", down: "is-falling", stable: "is-stable" } as const;

interface Change {
  readonly metric: TrendMetric;
  readonly direction: Direction;
  /** In the metric's unit; in percentage points for the error rate. */
  readonly change: number;
  /** `null` if the baseline's value is 0. */
  readonly changePercent: number | null;
  readonly note: string | null;
}

export function changeTextOf({ metric, direction, change, changePercent, note }: Change) {
  const open = [CANNOT_TELL, TAIL_CANNOT_TELL].find((start) => note?.startsWith(start));
  return Object.freeze({
    /** Class name that determines the glyph and its colour. */
    kind: KINDS[direction],
    /** "31 %", "2.1 points"; "" if the change is "stable". */
    size: direction === "stable" ? "" : sizeText(metric, change, changePercent),
    /** "slower", "fewer errors", "stable", "can't tell", "tail: can't tell". */
    word: open === undefined ? WORDS[metric][direction] : open.replace(/: $/, ""),
    /** The note without "can't tell: ": "n = 7, about 60 needed"; "" if there is no note. */
    detail: detailOf(note, open),
  });
}

/** Of the tail, the median has shown that there are requests enough for it, so only the number needed is told. */
function detailOf(note: string | null, open: string | undefined): string {
  const rest = note?.slice(open?.length ?? 0) ?? "";
  return open === TAIL_CANNOT_TELL ? rest.replace(/^n = [\d,]+, /, "") : rest;
}

/** A change in the metric's unit, with its sign: "+60 ms", "−1.2 KB", "+2.1 points". */
export function signedText(metric: TrendMetric, change: number): string {
  const sign = change < 0 ? "−" : "+";
  return `${sign}${figureText(metric, Math.abs(change), true)}`;
}

/** A value of the metric: "312 ms", "4.5 %", "18.3 KB". */
export function metricText(metric: TrendMetric, value: number): string {
  return figureText(metric, value, false);
}

function figureText(metric: TrendMetric, value: number, isChange: boolean): string {
  switch (metric) {
    case "latency":
      return `${durationText(value)} ms`;
    case "payload":
      return bytesPhrase(Math.round(value));
    case "errorRate":
      return isChange ? pointsText(value) : percentText(value);
  }
}

function sizeText(metric: TrendMetric, change: number, changePercent: number | null): string {
  if (metric === "errorRate") return pointsText(Math.abs(change));
  if (changePercent === null) return figureText(metric, Math.abs(change), true);
  return changeShareText(changePercent) ?? timesText(changePercent);
}

/** Percentage points: "2.1 points". */
export function pointsText(points: number): string {
  return points < 0.05 ? "0 points" : `${points.toFixed(1)} points`;
}
