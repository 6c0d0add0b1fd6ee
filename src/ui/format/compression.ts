import { changeShareText, percentText, timesText } from "./percent.ts";

/** What a content coding did, from decoded / encoded: "76 % smaller (4.2x)"; it may also make a small body larger, "25 % larger". */
export function compressionText(ratio: number): string {
  const change = (1 / ratio - 1) * 100;
  const share = changeShareText(change);
  if (share === null) return `${timesText(change)} as large`;
  // Of the little that is left by a good one something is left.
  const size = change < -99 ? percentText(-change) : share;
  return `${size} ${Math.round(change) > 0 ? "larger" : "smaller"} (${ratio.toFixed(1)}x)`;
}
