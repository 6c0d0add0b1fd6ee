/*
 * Labels of vertical markers, each beside its line, without overlaps:
 *
 *    p50 87 ┊    p95 312 │ p99 520        left of the line; if there is no room, right of it or one line lower
 */

/** Pixels between a label and its line, and between neighbouring labels. */
const TO_LINE = 4;
const APART = 4;

/** A marker's line at `x` px and its label's width, px. */
export interface Labelled {
  readonly x: number;
  readonly width: number;
}

/** The left end of a label, in px, and its line of text; 0 is the top. */
export interface LabelPlace {
  readonly left: number;
  readonly line: number;
}

/**
 * Places the labels in order: each left of its marker, else right of it, else one line of text lower. Labels stay
 * between 0 and `room` px if they fit there.
 */
export function placeLabels(labels: readonly Labelled[], room: number): readonly LabelPlace[] {
  const placed: (LabelPlace & { right: number })[] = [];
  for (const [index, { x, width }] of labels.entries()) {
    const next = labels[index + 1]?.x ?? Number.POSITIVE_INFINITY;
    const left = x - TO_LINE - width;
    const right = x + TO_LINE;
    const sides = [];
    if (left >= 0) sides.push(left);
    if (right + width <= room && right + width < next) sides.push(right);
    if (sides.length === 0) sides.push(left >= 0 ? left : right);
    placed.push(firstFree(sides, width, placed));
  }
  return placed.map(({ left, line }) => Object.freeze({ left, line }));
}

/**
 * Returns the centre for a text of `width` px that no line crosses: `x` if possible, else right of the crossing lines,
 * else left of them. The text stays between `from` and `to`; if it fits nowhere, returns `x`.
 */
export function besideLines(x: number, width: number, lines: readonly number[], from: number, to: number): number {
  const half = width / 2 + TO_LINE / 2;
  const crossing = lines.filter((line) => Math.abs(line - x) < half);
  const first = Math.min(...crossing);
  const last = Math.max(...crossing);
  if (crossing.length === 0) return x;
  if (last + half + width / 2 <= to) return last + half;
  return first - half - width / 2 >= from ? first - half : x;
}

function firstFree(sides: readonly number[], width: number, placed: readonly (LabelPlace & { right: number })[]) {
  for (let line = 0; ; line += 1) {
    for (const left of sides) {
      const right = left + width;
      const free = placed.every(
        (other) => other.line !== line || left >= other.right + APART || right + APART <= other.left,
      );
      if (free) return { left, right, line };
    }
  }
}
