import type { Segment, Span, Stretch } from "../../../engine/model/phases.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";

/** What a bar shows, in ms after the exchange's start. */
interface Bar {
  readonly spans: readonly Span[];
  readonly failedAfter: Milliseconds | null;
  readonly wait: Stretch | null;
  readonly slowed: readonly Stretch[];
}

/**
 * A phase bar as the background of one element, so that a row needs one style instead of five elements. Heights and
 * hues are the tokens of theme/phases.css. A failed phase has no end; a thin line reaches from the last known instant
 * to the failure, as in the timeline.
 */
export function phaseBackground({ spans, failedAfter, wait, slowed }: Bar, scale: Milliseconds): string {
  const layers = spans.flatMap(({ phase, from, to }) =>
    phase === "weir" && to - from < LEAST_WEIR * scale ? [] : layersOf(PAINT[phase], HEIGHTS[phase], from, to, scale),
  );
  if (wait !== null) layers.push(...layersOf(paint("trace-2"), WAITING, wait.from, wait.to, scale));
  for (const { from, to } of slowed) layers.push(...layersOf("var(--hatching-slowed)", SLOWED, from, to, scale));
  const known = spans.at(-1)?.to ?? wait?.to ?? 0;
  if (failedAfter !== null && failedAfter > known)
    layers.push(...layersOf(paint("trace-2"), UNFINISHED, known, failedAfter, scale));
  return layers.length === 0 ? "none" : layers.join(", ");
}

function layersOf(
  ink: string,
  rails: readonly Rail[],
  from: Milliseconds,
  to: Milliseconds,
  scale: Milliseconds,
): string[] {
  const width = Math.min(1, Math.max(0, (to - from) / scale));
  const left = Math.min(1 - width, Math.max(0, from / scale));
  // The position of a background in percent is a share of the width that the background leaves free.
  const offset = width < 1 ? `${percent(left / (1 - width))}` : "0";
  return rails.map(({ edge, height }) => `${ink} ${offset} ${edge} / max(1px, ${percent(width)}) ${height} no-repeat`);
}

/** Least share of the bar at which Weir's own time is drawn; usually, its share is smaller. */
const LEAST_WEIR = 0.005;

interface Rail {
  readonly edge: "bottom" | "center" | "top";
  readonly height: string;
}

const UNFINISHED: readonly Rail[] = [{ edge: "center", height: "2px" }];

const WAITING: readonly Rail[] = [{ edge: "bottom", height: "var(--phase-step-wait)" }];

const SLOWED: readonly Rail[] = [{ edge: "bottom", height: "var(--phase-step-slowed)" }];

const HEIGHTS: Readonly<Record<Segment, readonly Rail[]>> = {
  dns: [{ edge: "bottom", height: "var(--phase-step-dns)" }],
  connect: [{ edge: "bottom", height: "var(--phase-step-connect)" }],
  tls: [{ edge: "bottom", height: "var(--phase-step-tls)" }],
  ttfb: [{ edge: "bottom", height: "var(--phase-step-ttfb)" }],
  transfer: [
    { edge: "top", height: "5px" },
    { edge: "bottom", height: "5px" },
  ],
  weir: [{ edge: "bottom", height: "var(--phase-step-ttfb)" }],
  held: [{ edge: "bottom", height: "var(--phase-step-held)" }],
};

const PAINT: Readonly<Record<Segment, string>> = {
  dns: paint("phase-dns"),
  connect: paint("phase-connect"),
  tls: paint("phase-tls"),
  ttfb: paint("phase-ttfb"),
  transfer: paint("phase-transfer"),
  weir: "var(--hatching-weir)",
  held: "var(--hatching-held)",
};

function paint(token: string): string {
  const colour = `var(--color-${token})`;
  return `linear-gradient(${colour}, ${colour})`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(3))}%`;
}
