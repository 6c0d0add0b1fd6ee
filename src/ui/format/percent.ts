import { countText, NO_FIGURE } from "./count.ts";

/** A share in percent: one decimal, none for 0, 100 and above ("4.5 %", "0 %"), which nearly none and nearly all are not. `null` = not known. */
export function percentText(percent: number | null): string {
  if (percent === null) return NO_FIGURE;
  if (percent >= 99.95 && percent < 100) return "> 99.9 %";
  if (percent === 0 || percent >= 100) return `${countText(Math.round(percent))} %`;
  return percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}

/** From this change on, percent, it is told in times. Our choice. */
const TIMES_FROM = 1_000;

/** How large a change of so many percent is, without its direction: "31 %". `null`: it is so large that times say more. */
export function changeShareText(percent: number): string | null {
  return Math.abs(percent) < TIMES_FROM ? `${countText(Math.round(Math.abs(percent)))} %` : null;
}

/** What a value that has grown by so many percent is of what it was: "18x". */
export function timesText(percent: number): string {
  return `${countText(Math.round(percent / 100) + 1)}x`;
}
