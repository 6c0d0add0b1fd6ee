import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import { tenth, xOf } from "./bars.ts";

/** Height of the minimap, and greatest and least height of its bars, in px. Diamonds are above the bars. */
const MINIMAP_HEIGHT = 44;
const HIGHEST = 34;
const LOWEST = 1.5;
/** The middle of a diamond, from the top, and half of the diamond's height, in px. */
const DIAMOND_MIDDLE = 4;
const DIAMOND = 3;

/** Least distance between diamonds, in px; closer diamonds could not be told apart. */
const DIAMONDS_APART = 5;

/** The number of requests and errors in a slice of the session; all slices have the same length. */
interface Slice {
  readonly requests: number;
  readonly errors: number;
}

/** A bar for each slice, from the bottom up; the tallest bar has the full height, and an empty slice has no bar. */
export function densityPathOf(slices: readonly Slice[], width: number): string {
  const most = Math.max(1, ...slices.map(({ requests }) => requests));
  const slot = width / Math.max(slices.length, 1);
  const bar = Math.max(slot * 0.6, slot - 1);
  return slices
    .map(({ requests }, index) => {
      if (requests === 0) return "";
      const height = Math.max(LOWEST, (requests / most) * HIGHEST);
      return `M${tenth(index * slot)} ${MINIMAP_HEIGHT}v${tenth(-height)}h${tenth(bar)}v${tenth(height)}z`;
    })
    .join("");
}

/** The brush on the minimap: the range that the rows show, in px. */
export interface Brush {
  readonly from: number;
  readonly to: number;
}

/** Paths of the diamonds above slices with errors: inside the brush, and outside it (paler). */
interface ErrorPaths {
  readonly within: string;
  readonly beside: string;
}

/** A diamond above each slice with errors; a diamond too close to the previous one is omitted. */
export function errorPathsOf(slices: readonly Slice[], width: number, { from, to }: Brush): ErrorPaths {
  const slot = width / Math.max(slices.length, 1);
  const paths = { within: "", beside: "" };
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, { errors }] of slices.entries()) {
    const middle = (index + 0.5) * slot;
    if (errors === 0 || middle - last < DIAMONDS_APART) continue;
    last = middle;
    const diamond = `M${tenth(middle)} ${DIAMOND_MIDDLE - DIAMOND}l${DIAMOND} ${DIAMOND}l${-DIAMOND} ${DIAMOND}l${-DIAMOND} ${-DIAMOND}z`;
    if (middle >= from && middle <= to) paths.within += diamond;
    else paths.beside += diamond;
  }
  return paths;
}

/** Least width, in px, at which the brush can be seen and dragged. */
const NARROWEST_BRUSH = 3;

export function brushOf(range: TimeRange, whole: TimeRange, width: number): Brush {
  const scale = { range: whole, width };
  const from = Math.min(Math.max(0, xOf(range.from, scale)), width - NARROWEST_BRUSH);
  const to = Math.min(width, Math.max(xOf(range.to, scale), from + NARROWEST_BRUSH));
  return Object.freeze({ from, to });
}

/** What a press on the minimap drags: an edge, the whole brush, or a new brush. */
export type Grip = "from" | "to" | "move" | "new";

/**
 * Distance in px from an edge within which a press drags that edge. In a narrow brush, the middle third drags the
 * brush.
 */
const REACH = 7;

export function gripAt(x: number, { from, to }: Brush): Grip {
  const inside = Math.min(REACH, (to - from) / 3);
  if (x > from + inside && x < to - inside) return "move";
  const [toFrom, toTo] = [Math.abs(x - from), Math.abs(x - to)];
  if (Math.min(toFrom, toTo) > REACH) return "new";
  return toFrom <= toTo ? "from" : "to";
}
