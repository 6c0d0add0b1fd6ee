/** A value at an instant, epoch ms. */
export interface Moment {
  readonly at: number;
  readonly value: number;
}

/** An instant without a value. It keeps the distance between its neighbours true to scale. */
export interface Gap {
  readonly at: number;
}

type Line = readonly Moment[];

/** If the filled axis would have more instants than this, gaps are not filled. Limit. */
const MOST = 2_000;

/**
 * Puts lines over one time axis. Adds a gap where a line lacks a value, and where an instant is missing, because a
 * chart spaces its points equally. The points must ascend.
 */
export function overOneAxis(lines: readonly Line[]): readonly (readonly (Moment | Gap)[])[] {
  const times = [...new Set(lines.flatMap((points) => points.map(({ at }) => at)))].sort((a, b) => a - b);
  const filled = withGaps(times);
  return lines.map((points) => {
    const pointAt = new Map(points.map((point) => [point.at, point]));
    return filled.map((at) => pointAt.get(at) ?? { at });
  });
}

/** Adds instants where neighbours are further apart than the shortest distance in `times`. */
function withGaps(times: readonly number[]): readonly number[] {
  let step = Number.POSITIVE_INFINITY;
  for (const [index, at] of times.entries()) step = Math.min(step, at - (times[index - 1] ?? Number.NEGATIVE_INFINITY));
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (times.length < 2 || span / step > MOST) return times;
  const filled: number[] = [];
  for (const at of times) {
    const before = filled.at(-1);
    const missing = before === undefined ? 0 : Math.round((at - before) / step) - 1;
    for (let index = 1; before !== undefined && index <= missing; index += 1) filled.push(before + index * step);
    filled.push(at);
  }
  return filled;
}
