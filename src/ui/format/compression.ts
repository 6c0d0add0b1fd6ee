import { changeShareText, percentText, timesText } from "./percent.ts";

/**
 * The effect of a content coding, from the ratio decoded / encoded: "76 % smaller (4.2x)". The encoded body may be
 * larger: "25 % larger".
 */
export function compressionText(ratio: number): string {
  const change = (1 / ratio - 1) * 100;
  const share = changeShareText(change);
  if (share === null) return `${timesText(change)} as large`;
  // Above 99 % a rounded share would claim that nothing is left.
  const size = change < -99 ? percentText(-change) : share;
  return `${size} ${Math.round(change) > 0 ? "larger" : "smaller"} (${ratio.toFixed(1)}x)`;
}
