/** The host patterns, or host overrides, of a text field: one on each line, or parted by commas or spaces; doubles dropped. */
export function patternsOf(text: string): readonly string[] {
  return Object.freeze([...new Set(text.split(/[\s,]+/).filter((pattern) => pattern !== ""))]);
}

/** How they stand in the field. */
export function patternsText(patterns: readonly string[]): string {
  return patterns.join("\n");
}
