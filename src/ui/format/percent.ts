import { countText, NO_FIGURE } from "./count.ts";

/**
 * A share in percent: one decimal, none for 0, 100 and above ("4.5 %", "0 %"); shares near 0 or 100 are not rounded to
 * them. `null` = not known.
 */
export function percentText(percent: number | null): string {
  if (percent === null) return NO_FIGURE;
  if (percent >= 99.95 && percent < 100) return "> 99.9 %";
  if (percent === 0 || percent >= 100) return `${countText(Math.round(percent))} %`;
  return percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}

/** Growth in percent from which it is shown as a factor. Default; not from a specification. */
const TIMES_FROM = 100;

/** The magnitude of a change in percent: "31 %". `null` if it is shown as a factor instead (`timesText`). */
export function changeShareText(percent: number): string | null {
  const rounded = Math.round(percent);
  return rounded < TIMES_FROM ? `${countText(Math.abs(rounded))} %` : null;
}

/** The factor of a growth in percent: "2.3x", "18x". */
export function timesText(percent: number): string {
  const factor = percent / 100 + 1;
  return `${factor < 9.95 ? factor.toFixed(1) : countText(Math.round(factor))}x`;
}
