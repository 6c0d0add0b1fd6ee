/**
 * A sparkline is a single path in a box of fixed units; the page stretches the box. It has no axis: the number beside
 * it shows the value, and the accessible name describes the changes.
 */

export const SPARK_WIDTH = 132;
export const SPARK_HEIGHT = 26;

/** Largest width of a bar and its gap. It keeps the few bars of a new session narrow. */
const WIDEST_SLOT = 6;
/** Smallest height of a value above 0. */
const LOWEST = 1;
/** Margin, so that neither the dot at the end nor the line's stroke is cut off. */
const MARGIN = 3;

/**
 * A bar for each value, from the bottom up; the oldest at the left, the newest at the right edge. A value of 0 has no
 * bar.
 */
export function barsPath(values: readonly number[]): string {
  const highest = Math.max(0, ...values);
  if (highest === 0) return "";
  const slot = Math.min(WIDEST_SLOT, SPARK_WIDTH / values.length);
  const width = tenth(Math.max(slot * 0.6, slot - 1));
  const left = SPARK_WIDTH - slot * values.length;
  return values
    .map((value, index) => {
      if (value <= 0) return "";
      const height = tenth(Math.max(LOWEST, (value / highest) * SPARK_HEIGHT));
      return `M${tenth(left + index * slot)} ${SPARK_HEIGHT}v${-height}h${width}v${height}z`;
    })
    .join("");
}

/** A line on a scale that starts at 0 and includes `level`; the line is interrupted where values are missing. */
export function linePath(values: readonly (number | null)[], level: number | null = null): string {
  let pen = "M";
  const path: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) {
      pen = "M";
      continue;
    }
    path.push(`${pen}${pointOf(index, value, values, level)}`);
    pen = "L";
  }
  return path.join("");
}

/** A line of length 0 at the newest value. Its round cap appears as the dot at the end. */
export function endPath(values: readonly (number | null)[], level: number | null = null): string {
  const index = values.findLastIndex((value) => value !== null);
  const value = values[index] ?? null;
  return value === null ? "" : `M${pointOf(index, value, values, level)}h0`;
}

/** A horizontal line at `level` across the whole width, on the scale of `linePath`. */
export function levelPath(values: readonly (number | null)[], level: number): string {
  return `M0 ${tenth(heightOf(level, highestOf(values, level)))}H${SPARK_WIDTH}`;
}

function pointOf(index: number, value: number, values: readonly (number | null)[], level: number | null): string {
  const share = values.length < 2 ? 1 : index / (values.length - 1);
  const x = MARGIN + share * (SPARK_WIDTH - 2 * MARGIN);
  return `${tenth(x)} ${tenth(heightOf(value, highestOf(values, level)))}`;
}

function highestOf(values: readonly (number | null)[], level: number | null): number {
  return Math.max(...values.map((each) => each ?? 0), level ?? 0, Number.MIN_VALUE);
}

function heightOf(value: number, highest: number): number {
  return SPARK_HEIGHT - MARGIN - (value / highest) * (SPARK_HEIGHT - 2 * MARGIN);
}

function tenth(units: number): number {
  return Math.round(units * 10) / 10;
}
