import type { Phase } from "../../../engine/model/phases.ts";
import type { Span } from "../../../engine/model/span.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";

/**
 * A whole phase bar as one element's background, so that a row of the list costs one text instead of five elements.
 * The steps and hues are the tokens of theme/phases.css.
 */
export function phaseBackground(spans: readonly Span[], scale: Milliseconds): string {
  const layers = spans.flatMap(({ phase, from, to }) => {
    const width = Math.min(1, Math.max(0, (to - from) / scale));
    const left = Math.min(1 - width, Math.max(0, from / scale));
    // A background's position in percent is of the room that is left beside it.
    const place = width < 1 ? `${percent(left / (1 - width))}` : "0";
    return HEIGHTS[phase].map(
      ({ edge, height }) => `${PAINT[phase]} ${place} ${edge} / max(1px, ${percent(width)}) ${height} no-repeat`,
    );
  });
  return layers.length === 0 ? "none" : layers.join(", ");
}

interface Rail {
  readonly edge: "bottom" | "top";
  readonly height: string;
}

const HEIGHTS: Readonly<Record<Phase, readonly Rail[]>> = {
  dns: [{ edge: "bottom", height: "var(--phase-step-dns)" }],
  connect: [{ edge: "bottom", height: "var(--phase-step-connect)" }],
  tls: [{ edge: "bottom", height: "var(--phase-step-tls)" }],
  ttfb: [{ edge: "bottom", height: "var(--phase-step-ttfb)" }],
  transfer: [
    { edge: "top", height: "5px" },
    { edge: "bottom", height: "5px" },
  ],
};

const PAINT: Readonly<Record<Phase, string>> = {
  dns: paint("dns"),
  connect: paint("connect"),
  tls: paint("tls"),
  ttfb: paint("ttfb"),
  transfer: paint("transfer"),
};

function paint(phase: Phase): string {
  const colour = `var(--color-phase-${phase})`;
  return `linear-gradient(${colour}, ${colour})`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(3))}%`;
}
