import type { Density, TimeRange } from "../../../engine/messages/timeline-messages.ts";
import { clockText, exactClockText } from "../../format/clock.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { axisText } from "../../format/duration.ts";
import { tenth } from "./bars.ts";
import { type Brush, brushOf, densityPathOf, errorPathsOf } from "./overview.ts";
import { clockTicksOf } from "./ticks.ts";
import { lengthOf, spanned } from "./visible-range.ts";

/** Least length of the axis in ms, so that a new session does not fill the minimap. */
const SHORTEST_AXIS = 1_000;

/** What the minimap shows: paths in px, texts, and two handles. */
export interface MinimapFrame {
  /** "13 of 396 in 3.9 s"; "" if nothing was captured. */
  readonly summary: string;
  /** The text alternative of the drawing. */
  readonly description: string;
  readonly density: string;
  /** Paths of the error marks inside and outside the brush. */
  readonly errors: ReturnType<typeof errorPathsOf>;
  readonly ticks: readonly { readonly label: string; readonly style: { readonly left: string } }[];
  readonly brush: { readonly left: string; readonly width: string };
  readonly from: Edge;
  readonly to: Edge;
}

/** A handle of the brush: a slider over the seconds of the session. */
interface Edge {
  readonly style: { readonly left: string };
  readonly least: number;
  readonly most: number;
  readonly now: number;
  readonly text: string;
}

const NO_EDGE: Edge = Object.freeze({ style: Object.freeze({ left: "0px" }), least: 0, most: 0, now: 0, text: "" });

export const EMPTY_MINIMAP: MinimapFrame = Object.freeze({
  summary: "",
  description: "No exchange yet",
  density: "",
  errors: Object.freeze({ within: "", beside: "" }),
  ticks: Object.freeze([]),
  brush: Object.freeze({ left: "0px", width: "0px" }),
  from: NO_EDGE,
  to: NO_EDGE,
});

/** The range of the minimap: the session, but at least a second. */
export function axisOf({ from, to }: TimeRange): TimeRange {
  return spanned(from, Math.max(to, from + SHORTEST_AXIS));
}

export function brushOn(range: TimeRange, whole: TimeRange, width: number): Brush {
  return brushOf(range, axisOf(whole), width);
}

export function minimapFrameOf(density: Density, range: TimeRange, width: number, matched: number): MinimapFrame {
  const whole = density.whole;
  if (whole === null) return EMPTY_MINIMAP;
  const axis = axisOf(whole);
  const drawn = (width * lengthOf(whole)) / lengthOf(axis);
  const brush = brushOf(range, axis, width);
  const [least, most] = [0, secondsOf(axis.from, axis.to)];
  const edge = (at: TimeRange["from"], left: number): Edge => ({
    style: { left: `${tenth(left)}px` },
    least,
    most,
    now: Math.min(most, Math.max(least, secondsOf(axis.from, at))),
    text: exactClockText(at),
  });
  return Object.freeze({
    summary: `${countText(matched)} of ${countText(density.matched)} in ${lengthText(lengthOf(range))}`,
    description: descriptionOf(density),
    density: densityPathOf(density.slices, drawn),
    errors: Object.freeze(errorPathsOf(density.slices, drawn, brush)),
    ticks: Object.freeze(
      clockTicksOf(axis, width).map(({ left, label }) => ({ label, style: { left: `${tenth(left)}px` } })),
    ),
    brush: Object.freeze({ left: `${tenth(brush.from)}px`, width: `${tenth(brush.to - brush.from)}px` }),
    from: edge(range.from, brush.from),
    to: edge(range.to, brush.to),
  });
}

function descriptionOf({ slices, whole }: Density): string {
  if (whole === null) return "";
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0);
  const errors = slices.reduce((sum, slice) => sum + slice.errors, 0);
  const when = `from ${clockText(whole.from)} to ${clockText(whole.to)}`;
  return `${countPhrase(requests, "request", "requests")} ${when}, ${countPhrase(errors, "error", "errors")}`;
}

function secondsOf(from: number, to: number): number {
  return Math.round((to - from) / 100) / 10;
}

/** "850 ms", "3.9 s", "12 min". */
function lengthText(length: number): string {
  if (length >= 600_000) return `${countText(Math.round(length / 60_000))} min`;
  return axisText(length >= 1_000 ? Math.round(length / 100) * 100 : Math.round(length));
}
