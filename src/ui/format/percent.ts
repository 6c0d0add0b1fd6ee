import { countText, NO_FIGURE } from "./count.ts";

/**
 * Formats a share in percent: "4.5 %", "0 %". A share has one decimal; 0 and shares from 100 on have none. A share near
 * 0 or 100 is never rounded to 0 or 100. `null`: unknown.
 */
export function percentText(percent: number | null): string {
  if (percent === null) return NO_FIGURE;
  if (percent >= 99.95 && percent < 100) return "> 99.9 %";
  if (percent === 0 || percent >= 100) return `${countText(Math.round(percent))} %`;
  return percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}

/** A growth of at least this many percent is shown as a factor. */
const TIMES_FROM = 100;

/**
 * The size of a change in percent, without its sign: "31 %". `null` if the change is shown as a factor (`timesText`).
 */
export function changeShareText(percent: number): string | null {
  const rounded = Math.round(percent);
  return rounded < TIMES_FROM ? `${countText(Math.abs(rounded))} %` : null;
}

/** Formats a growth in percent as a factor: "2.3x" for 130, "18x" for 1,700. */
export function timesText(percent: number): string {
  const factor = percent / 100 + 1;
  return `${factor < 9.95 ? factor.toFixed(1) : countText(Math.round(factor))}x`;
}
