import { excerptOf } from "./json-value.ts";

/**
 * One item of `log.entries`: a JSON object without `__proto__` and `constructor`; or why it is left out, with the wrong
 * value.
 */
export type HarItem =
  | { readonly ok: true; readonly entry: number; readonly value: object }
  | { readonly ok: false; readonly entry: number; readonly problem: string };

/** Parses one item from its JSON text. `entry`: the item's index. */
export function itemOf(entry: number, text: string): HarItem {
  try {
    // A reviver takes ten times as long, so it is used only if the text may contain one of these names.
    const value: unknown = DROPPED.test(text) ? JSON.parse(text, withoutDropped) : JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ok: true, entry, value };
    return { ok: false, entry, problem: `it is not an object: ${excerptOf(text.trim())}` };
  } catch {
    return { ok: false, entry, problem: `it is not JSON: ${excerptOf(text.trim())}` };
  }
}

/** Finds one of the dropped names, or an escape that may stand for one of their letters. */
const DROPPED = /"(?:__proto__|constructor)"|\\u00[3-7]/;

/** A reviver that drops names which a program might use as more than data (docs/security.md L4). */
function withoutDropped(name: string, value: unknown): unknown {
  return name === "__proto__" || name === "constructor" ? undefined : value;
}
