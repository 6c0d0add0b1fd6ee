import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import { type Phase, SEGMENTS, type Segment, type Stretch, type Wait } from "../../../engine/model/phases.ts";
import { lengthOf } from "./visible-range.ts";

/*
 * Bars are paths: for each phase, one path for all visible rows, so that a zoom step changes a few attributes and no
 * elements. The heights of the phases are set in theme/phases.css; all phases stand on one base line:
 *
 *                       ████████████ ══  Transfer: two rails
 *              ▅▅▅▅▅▅▅▅▅████████████
 *    ▂▂ ▃▃▃▃▃▃▃▅▅▅▅▅▅▅▅▅████████████ ══        ▁▁▁▁▁▁████████████ ══
 *    DNS Connect  TLS      TTFB                 waiting   TTFB        Weir: hatched, as high as TTFB
 */

export const ROW_HEIGHT = 28;
const FLOOR = 20;
const MIDDLE = 14;
const WAITING = 2;
const IN_BROWSER = 6;
const SLOWED = 8;

/** Least width of a phase, and the gap to the next phase, in px. */
const NARROWEST = 1;
const APART = 1;

interface Rail {
  readonly above: number;
  readonly height: number;
}

const RAILS: Readonly<Record<Segment, readonly Rail[]>> = {
  dns: [{ above: 4, height: 4 }],
  connect: [{ above: 6, height: 6 }],
  tls: [{ above: 9, height: 9 }],
  ttfb: [{ above: 12, height: 12 }],
  transfer: [
    { above: 12, height: 5 },
    { above: 5, height: 5 },
  ],
  weir: [{ above: 12, height: 12 }],
  held: [{ above: 8, height: 8 }],
};

/** What a row's bar shows: instants in epoch ms, phases in ms after the start. */
export interface Bar {
  readonly start: number;
  /** For an exchange in flight: the current time, or the end of the session. */
  readonly end: number;
  readonly spans: readonly { readonly phase: Segment; readonly from: number; readonly to: number }[];
  readonly wait: Wait | null;
  /** When conditions slowed it. */
  readonly slowed: readonly Stretch[];
}

/** Maps instants to pixels; 0 is the left edge of the bars. */
export interface Scale {
  readonly range: TimeRange;
  readonly width: number;
}

export function xOf(at: number, { range, width }: Scale): number {
  return ((at - range.from) / lengthOf(range)) * width;
}

/** The instant at a pixel. */
export function momentAt(x: number, { range, width }: Scale): number {
  return range.from + (x / Math.max(width, 1)) * lengthOf(range);
}

/**
 * A path for each phase in `shown`, and for the held time; "" for other phases. `bars`: in the order of the rows;
 * `null`: the row is not loaded.
 */
export function phasePathsOf(
  bars: readonly (Bar | null)[],
  scale: Scale,
  shown: ReadonlySet<Phase>,
): Readonly<Record<Segment, string>> {
  const paths: Record<Segment, string[]> = {
    dns: [],
    connect: [],
    tls: [],
    ttfb: [],
    transfer: [],
    weir: [],
    held: [],
  };
  for (const [index, bar] of bars.entries()) {
    for (const { phase, from, to } of bar?.spans ?? []) {
      if (bar === null || (phase !== "held" && !shown.has(phase))) continue;
      const [begin, end] = [xOf(bar.start + from, scale), xOf(bar.start + to, scale)];
      // Weir's own time lies between the phases and is usually too short to be drawn.
      if (phase === "weir" && end - begin < NARROWEST) continue;
      const reach = reachOf(begin, end - APART, scale.width);
      if (reach === null) continue;
      const floor = index * ROW_HEIGHT + FLOOR;
      for (const { above, height } of RAILS[phase]) paths[phase].push(boxPath(reach, floor - above, height));
    }
  }
  return Object.freeze(
    Object.fromEntries(SEGMENTS.map((phase) => [phase, paths[phase].join("")])) as Record<Segment, string>,
  );
}

/**
 * The path of the waits, drawn as the lowest bars: the request had arrived and could not be sent yet. `inBrowser`: of
 * the waits in the browser's own queue, or of all others.
 */
export function waitPathOf(bars: readonly (Bar | null)[], scale: Scale, inBrowser: boolean): string {
  const height = inBrowser ? IN_BROWSER : WAITING;
  return bars
    .map((bar, index) => {
      if (bar === null || bar.wait === null || (bar.wait.waitedFor === "browser") !== inBrowser) return "";
      const { from, to } = bar.wait;
      const reach = reachOf(xOf(bar.start + from, scale), xOf(bar.start + to, scale) - APART, scale.width);
      return reach === null ? "" : boxPath(reach, index * ROW_HEIGHT + FLOOR - height, height);
    })
    .join("");
}

/** The path of the time that conditions added. */
export function slowedPathOf(bars: readonly (Bar | null)[], scale: Scale): string {
  return bars
    .flatMap((bar, index) =>
      (bar?.slowed ?? []).map(({ from, to }) => {
        const begin = bar?.start ?? 0;
        const reach = reachOf(xOf(begin + from, scale), xOf(begin + to, scale) - APART, scale.width);
        return reach === null ? "" : boxPath(reach, index * ROW_HEIGHT + FLOOR - SLOWED, SLOWED);
      }),
    )
    .join("");
}

/** A thin line from the last known phase to the end of the bar: the exchange is in flight, or failed. */
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

/** The visible part, at least one pixel wide; `null` if nothing is visible. */
function reachOf(from: number, to: number, width: number): Reach | null {
  const end = Math.max(to, from + NARROWEST);
  if (end <= 0 || from >= width) return null;
  return { from: Math.max(0, from), to: Math.min(width, end) };
}

function boxPath({ from, to }: Reach, top: number, height: number): string {
  return `M${tenth(from)} ${top}H${tenth(to)}v${height}H${tenth(from)}z`;
}

/** Pixels rounded to a tenth, for paths. */
export function tenth(px: number): number {
  return Math.round(px * 10) / 10;
}
