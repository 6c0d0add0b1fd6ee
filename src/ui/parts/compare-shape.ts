import type { Distributions } from "../../engine/messages/compare-messages.ts";

/*
 * Two distributions on one logarithmic axis: the left session above the axis, the right session below:
 *
 *        ▂▅█▆▃▁
 *   ──────────────────
 *            ▔▀█▀▔
 */

const WIDTH = 128;
const AXIS = 12;
/** Distances from the axis to the bars, and between bars, in units of the box. */
const GAP = 1;
const APART = 0.6;
/** Least and greatest height of a bar. */
const LEAST = 1;
const HIGHEST = 10;

/** The drawing as paths in a box of 128 by 24. */
export interface CompareShape {
  readonly left: string;
  readonly right: string;
}

export function compareShapeOf({ left, right }: Distributions): CompareShape {
  return Object.freeze({ left: barsOf(left, AXIS - GAP, -1), right: barsOf(right, AXIS + GAP, 1) });
}

/** A bar for each bin that is not empty, from `base` up (-1) or down (1). */
function barsOf(shares: readonly number[], base: number, direction: -1 | 1): string {
  const width = WIDTH / shares.length;
  return shares
    .map((share, bin) => {
      if (share === 0) return "";
      const end = base + direction * Math.max(LEAST, share * HIGHEST);
      return `M${tenth(bin * width)} ${base}V${tenth(end)}h${tenth(width - APART)}V${base}z`;
    })
    .join("");
}

function tenth(units: number): number {
  return Math.round(units * 10) / 10;
}
