import { redactedJsonBy } from "./json.ts";
import { endOfValue } from "./json-strings.ts";
import type { Redact } from "./nested.ts";

/**
 * Default; not from a specification: how many times a character may be read on average. Text that turns out not to be
 * JSON is read again.
 */
const MOST_READINGS = 8;

/**
 * Redacts JSON lists and objects, whole or cut off, within other text such as a script. `other` redacts the text
 * between them.
 */
export function redactedIslandsBy(text: string, redact: Redact, other: Redact): string {
  let shown = "";
  let kept = 0;
  let budget = MOST_READINGS * text.length;
  for (let at = beginningFrom(text, 0); at !== null && budget > 0; ) {
    const end = endOfValue(text, at);
    budget -= end - at;
    const json = redactedJsonBy(text.slice(at, end), redact);
    if (json !== null) {
      shown += other(text.slice(kept, at)) + json;
      kept = end;
    }
    at = beginningFrom(text, json === null ? at + 1 : end);
  }
  return shown + other(text.slice(kept));
}

function beginningFrom(text: string, at: number): number | null {
  BEGINNING.lastIndex = at;
  return BEGINNING.exec(text)?.index ?? null;
}

const BEGINNING = /\{\s{0,64}"|\[\s{0,64}[{["]/g;
