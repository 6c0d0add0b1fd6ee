import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import { tenth, xOf } from "./bars.ts";

/** Height of the strip and of what its bars may take; diamonds stand above them, px. */
const STRIP_HEIGHT = 44;
const HIGHEST = 34;
const LOWEST = 1.5;
const DIAMOND_MIDDLE = 4;
const DIAMOND = 3;

/** Diamonds closer than this are one to the eye, and would hide that each is its own. */
const DIAMONDS_APART = 5;

/** Requests and errors in equal slices of the session. */
interface Slice {
  readonly requests: number;
  readonly errors: number;
}

/** Bars from the floor, the tallest slice the full height; 0 draws nothing. */
export function densityPathOf(slices: readonly Slice[], width: number): string {
  const most = Math.max(1, ...slices.map(({ requests }) => requests));
  const slot = width / Math.max(slices.length, 1);
  const bar = Math.max(slot * 0.6, slot - 1);
  return slices
    .map(({ requests }, index) => {
      if (requests === 0) return "";
      const height = Math.max(LOWEST, (requests / most) * HIGHEST);
      return `M${tenth(index * slot)} ${STRIP_HEIGHT}v${tenth(-height)}h${tenth(bar)}v${tenth(height)}z`;
    })
    .join("");
}

/** The brush on the strip: what the rows show. */
export interface Brush {
  readonly from: number;
  readonly to: number;
}

/** Diamonds above slices that have an error: those within the brush, and those beside it, which are paler. */
interface ErrorPaths {
  readonly within: string;
  readonly beside: string;
}

/** A diamond above each slice that has an error, as far as they keep apart. */
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

/** Narrower it could not be seen, nor taken. */
const NARROWEST_BRUSH = 3;

export function brushOf(stretch: TimeRange, whole: TimeRange, width: number): Brush {
  const scale = { stretch: whole, width };
  const from = Math.min(Math.max(0, xOf(stretch.from, scale)), width - NARROWEST_BRUSH);
  const to = Math.min(width, Math.max(xOf(stretch.to, scale), from + NARROWEST_BRUSH));
  return Object.freeze({ from, to });
}

/** A press on the strip takes an edge, the brush itself, or begins a new one. */
export type Grip = "from" | "to" | "move" | "new";

/** So far from an edge it still takes it; inside a narrow brush the edges leave a third to move it by. */
const REACH = 7;

export function gripAt(x: number, { from, to }: Brush): Grip {
  const inside = Math.min(REACH, (to - from) / 3);
  if (x > from + inside && x < to - inside) return "move";
  const [toFrom, toTo] = [Math.abs(x - from), Math.abs(x - to)];
  if (Math.min(toFrom, toTo) > REACH) return "new";
  return toFrom <= toTo ? "from" : "to";
}
