/** A literal, whatever signs it holds: no part of what a person typed is ever a pattern. */
export function literal(text: string): RegExp {
  return new RegExp(escaped(text), "i");
}

/** For a part of a pattern. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
