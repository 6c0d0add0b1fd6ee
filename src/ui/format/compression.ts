/** What a content coding did, from decoded / encoded: "76 % smaller (4.2x)"; it may also make a small body larger. */
export function compressionText(ratio: number): string {
  const change = Math.round((1 - 1 / ratio) * 100);
  return `${Math.abs(change)} % ${change < 0 ? "larger" : "smaller"} (${ratio.toFixed(1)}x)`;
}
