/** A value at a moment, epoch ms. */
export interface Moment {
  readonly at: number;
  readonly value: number;
}

/** A moment without a value keeps the distance between its neighbours true. */
export interface Gap {
  readonly at: number;
}

/** With more moments than this, gaps are no longer filled. Our choice. */
const MOST = 2_000;

/**
 * A chart puts its points at equal distances, whatever time lies between them. So where moments are missing, gaps
 * stand for them; the step is the shortest distance that occurs. `points` ascend.
 */
export function withGaps(points: readonly Moment[]): readonly (Moment | Gap)[] {
  let step = Number.POSITIVE_INFINITY;
  for (const [index, { at }] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && at > before.at) step = Math.min(step, at - before.at);
  }
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
  if (points.length < 3 || span / step > MOST) return points;
  const filled: (Moment | Gap)[] = [];
  for (const point of points) {
    const before = filled.at(-1);
    const missing = before === undefined ? 0 : Math.round((point.at - before.at) / step) - 1;
    for (let index = 1; before !== undefined && index <= missing; index += 1)
      filled.push({ at: before.at + index * step });
    filled.push(point);
  }
  return filled;
}
