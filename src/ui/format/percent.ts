import { countText, NO_FIGURE } from "./count.ts";

/** A share in percent: one decimal, none for 0, 100 and above ("4.5 %", "0 %"), which nearly none and nearly all are not. `null` = not known. */
export function percentText(percent: number | null): string {
  if (percent === null) return NO_FIGURE;
  if (percent >= 99.95 && percent < 100) return "> 99.9 %";
  if (percent === 0 || percent >= 100) return `${countText(Math.round(percent))} %`;
  return percent < 0.05 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}
