import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import { lengthOf } from "./stretch.ts";

/*
 * Bars are paths, one for each phase over all rows in sight, so that a step of a zoom costs a few attributes and no
 * elements. The steps are those of theme/phases.css, on one floor:
 *
 *                       ████████████ ══  Transfer: two rails
 *              ▅▅▅▅▅▅▅▅▅████████████
 *    ▂▂ ▃▃▃▃▃▃▃▅▅▅▅▅▅▅▅▅████████████ ══        ▁▁▁▁▁▁████████████ ══
 *    DNS Connect  TLS      TTFB                 waiting   TTFB
 */

export const ROW_HEIGHT = 28;
const FLOOR = 20;
const MIDDLE = 14;
const WAITING = 2;

/** A phase is never narrower than this, and keeps so far from the next. */
const NARROWEST = 1;
const APART = 1;

interface Rail {
  readonly above: number;
  readonly height: number;
}

const RAILS: Readonly<Record<Phase, readonly Rail[]>> = {
  dns: [{ above: 4, height: 4 }],
  connect: [{ above: 6, height: 6 }],
  tls: [{ above: 9, height: 9 }],
  ttfb: [{ above: 12, height: 12 }],
  transfer: [
    { above: 12, height: 5 },
    { above: 5, height: 5 },
  ],
};

/** What is known of a row's bar: moments in epoch ms, phases in ms after the start. */
export interface Bar {
  readonly start: number;
  /** Until now for one in flight. */
  readonly end: number;
  readonly spans: readonly { readonly phase: Phase; readonly from: number; readonly to: number }[];
  readonly wait: { readonly from: number; readonly to: number } | null;
}

/** Moments to pixels, 0 at the left edge of the bars. */
export interface Scale {
  readonly stretch: TimeRange;
  readonly width: number;
}

export function xOf(at: number, { stretch, width }: Scale): number {
  return ((at - stretch.from) / lengthOf(stretch)) * width;
}

/** The moment that a pixel stands for. */
export function momentAt(x: number, { stretch, width }: Scale): number {
  return stretch.from + (x / Math.max(width, 1)) * lengthOf(stretch);
}

/** A path for each phase, `bars` row under row; a phase that is not in `shown` leaves its place empty. */
export function phasePathsOf(
  bars: readonly (Bar | null)[],
  scale: Scale,
  shown: ReadonlySet<Phase>,
): Readonly<Record<Phase, string>> {
  const paths: Record<Phase, string[]> = { dns: [], connect: [], tls: [], ttfb: [], transfer: [] };
  for (const [index, bar] of bars.entries()) {
    for (const { phase, from, to } of bar?.spans ?? []) {
      if (bar === null || !shown.has(phase)) continue;
      const reach = reachOf(xOf(bar.start + from, scale), xOf(bar.start + to, scale) - APART, scale.width);
      if (reach === null) continue;
      const floor = index * ROW_HEIGHT + FLOOR;
      for (const { above, height } of RAILS[phase]) paths[phase].push(boxPath(reach, floor - above, height));
    }
  }
  return Object.freeze(
    Object.fromEntries(PHASES.map((phase) => [phase, paths[phase].join("")])) as Record<Phase, string>,
  );
}

/** The lowest step: nothing could be done about a request that had arrived. */
export function waitPathOf(bars: readonly (Bar | null)[], scale: Scale): string {
  return bars
    .map((bar, index) => {
      if (bar === null || bar.wait === null) return "";
      const { from, to } = bar.wait;
      const reach = reachOf(xOf(bar.start + from, scale), xOf(bar.start + to, scale) - APART, scale.width);
      return reach === null ? "" : boxPath(reach, index * ROW_HEIGHT + FLOOR - WAITING, WAITING);
    })
    .join("");
}

/** A thin line where an exchange lasted and no phase is known (yet): in flight, or failed before one. */
export function openPathOf(bars: readonly (Bar | null)[], scale: Scale): string {
  return bars
    .map((bar, index) => {
      if (bar === null) return "";
      const known = bar.start + (bar.spans.at(-1)?.to ?? bar.wait?.to ?? 0);
      const reach = reachOf(xOf(known, scale), xOf(bar.end, scale), scale.width);
      return reach === null || (reach.to - reach.from <= NARROWEST && known > bar.start)
        ? ""
        : boxPath(reach, index * ROW_HEIGHT + MIDDLE - 1, 2);
    })
    .join("");
}

interface Reach {
  readonly from: number;
  readonly to: number;
}

/** What of it lies between the edges, at least a pixel wide; `null` = nothing does. */
function reachOf(from: number, to: number, width: number): Reach | null {
  const end = Math.max(to, from + NARROWEST);
  if (end <= 0 || from >= width) return null;
  return { from: Math.max(0, from), to: Math.min(width, end) };
}

function boxPath({ from, to }: Reach, top: number, height: number): string {
  return `M${tenth(from)} ${top}H${tenth(to)}v${height}H${tenth(from)}z`;
}

/** Pixels as paths have them. */
export function tenth(px: number): number {
  return Math.round(px * 10) / 10;
}
