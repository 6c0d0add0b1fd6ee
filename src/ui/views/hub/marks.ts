import type { Highlight } from "../../../engine/hub/search.ts";

/** A part of a text, and whether the part matches the filter. */
export interface Part {
  readonly text: string;
  readonly marked: boolean;
}

/** Splits a text into parts inside and outside the highlights, which are in order. */
export function partsOf(text: string, highlights: readonly Highlight[]): readonly Part[] {
  const parts: Part[] = [];
  const add = (from: number, to: number, marked: boolean): void => {
    if (to > from) parts.push(Object.freeze({ text: text.slice(from, to), marked }));
  };
  let at = 0;
  for (const { from, to } of highlights) {
    add(at, from, false);
    add(from, to, true);
    at = to;
  }
  add(at, text.length, false);
  return Object.freeze(parts);
}
