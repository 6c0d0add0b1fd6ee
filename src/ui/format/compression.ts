import { changeShareText, percentText, timesText } from "./percent.ts";

/**
 * Formats the ratio decoded / encoded as the effect of a content coding: "76 % smaller (4.2x)", or "25 % larger
 * (0.8x)".
 */
export function compressionText(ratio: number): string {
  const change = (1 / ratio - 1) * 100;
  const share = changeShareText(change);
  if (share === null) return `${timesText(change)} as large`;
  // Above 99 %, a rounded share could read "100 % smaller", as if nothing were left.
  const size = change < -99 ? percentText(-change) : share;
  return `${size} ${Math.round(change) > 0 ? "larger" : "smaller"} (${ratio.toFixed(1)}x)`;
}
