import type { TrendRecord } from "../../../../engine/messages/trend-messages.ts";

/*
 * A line through the values of the baseline sessions, the oldest at the left. It ends at the current value, which is a
 * dot. The shaded band is the stable range, and the dotted line is the baseline:
 *
 *                    ●
 *     ░░░░░░░░░░░░░░░░
 *     ·╱╲·╱╲__·╱·······
 *     ░░░░░░░░░░░░░░░░
 */

const TREND_WIDTH = 168;
const HEIGHT = 28;
const MARGIN = 4;

export function trendLineOf({
  series,
  current,
  baseline,
  band,
}: Pick<TrendRecord, "series" | "current" | "baseline" | "band">) {
  const values = [...series, current];
  const low = Math.min(...values, band.low);
  const high = Math.max(...values, band.high);
  const y = (value: number): number =>
    tenth(HEIGHT - MARGIN - ((value - low) / Math.max(high - low, Number.MIN_VALUE)) * (HEIGHT - 2 * MARGIN));
  const x = (index: number): number =>
    tenth(MARGIN + (index / Math.max(values.length - 1, 1)) * (TREND_WIDTH - 2 * MARGIN));
  const points = values.map((value, index) => `${x(index)} ${y(value)}`);
  return Object.freeze({
    band: `M0 ${y(band.high)}H${TREND_WIDTH}V${y(band.low)}H0z`,
    baseline: `M0 ${y(baseline)}H${TREND_WIDTH}`,
    line: `M${points.join("L")}`,
    end: `M${points.at(-1) ?? "0 0"}h0`,
  });
}

function tenth(units: number): number {
  return Math.round(units * 10) / 10;
}
