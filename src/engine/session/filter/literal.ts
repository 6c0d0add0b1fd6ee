/** A case-insensitive pattern that matches the text literally; typed text is never a pattern. */
export function literal(text: string): RegExp {
  return new RegExp(escaped(text), "i");
}

/** The text, escaped as a part of a pattern. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
