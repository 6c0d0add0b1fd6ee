/** A case-insensitive pattern that matches exactly this text, since users type text, not patterns. */
export function literal(text: string): RegExp {
  return new RegExp(escaped(text), "i");
}

/** The text, escaped so that it can be a part of a pattern. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
