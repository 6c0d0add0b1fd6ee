import type { EndpointStats } from "../../../engine/messages/latency-messages.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { durationText } from "../../format/duration.ts";

export interface Percentile {
  readonly name: "p50" | "p95" | "p99";
  readonly at: Milliseconds;
}

export function percentilesOf(stats: EndpointStats | null): Percentile[] {
  const known: Percentile[] = [];
  for (const name of ["p50", "p95", "p99"] as const) {
    const at = stats?.[name] ?? null;
    if (at !== null) known.push({ name, at });
  }
  return known;
}

/** The usual and the greatest width of a label, in percent of the ruler's width in a narrow window. */
const LABEL = 12;
const WIDEST_LABEL = 15;

/** Height of a label, in px. */
const LINE = 14;

/**
 * The endpoint's percentiles, drawn as lines across the rows, and their labels. A label is left of its line, or right
 * of it if there is no room on the left. The label of the p99 is right of its line if there is room. A label that would
 * overlap another is placed higher.
 */
export function marksOf(percentiles: readonly Percentile[], scale: Milliseconds) {
  let taken = 0;
  /** For each height of labels, where the last label ends on the right; the lowest height first. */
  const reached: number[] = [];
  return percentiles.map(({ name, at }, index) => {
    const left = (at / scale) * 100;
    const next = percentiles[index + 1];
    const roomRight = (next === undefined ? 100 : (next.at / scale) * 100) - left;
    const right = left - taken < LABEL || (name === "p99" && roomRight >= LABEL);
    taken = right ? left + LABEL : left;
    const begin = right ? left : left - WIDEST_LABEL;
    const free = reached.findIndex((end) => end <= begin);
    const line = free < 0 ? reached.length : free;
    reached[line] = begin + WIDEST_LABEL;
    return Object.freeze({
      name,
      figure: durationText(at),
      line: LINES[name],
      side: right ? "is-right" : "is-left",
      position: Object.freeze({ left: `${left.toFixed(3)}%` }),
      /** The label's vertical position. */
      label: Object.freeze({ bottom: `${line * LINE}px` }),
    });
  });
}

const LINES = { p50: "mark-p50", p95: "mark-p95", p99: "mark-p99" } as const;
