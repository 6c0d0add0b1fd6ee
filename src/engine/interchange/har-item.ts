import { failure, type Result, success } from "../model/result.ts";
import { excerptOf } from "./json-value.ts";

/**
 * One item of `log.entries`: a JSON object without members named `__proto__` or `constructor`, or a reason for leaving
 * the item out. The reason quotes the wrong value.
 */
export type HarItem = Result<object> & { readonly entry: number };

/** Parses one item from its JSON text. `entry`: the item's index. */
export function itemOf(entry: number, text: string): HarItem {
  try {
    // Parsing takes ten times as long with a reviver, so only text that may contain a dropped name gets one.
    const value: unknown = DROPPED.test(text) ? JSON.parse(text, withoutDropped) : JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...success(value), entry };
    return { ...failure(`it is not an object: ${excerptOf(text.trim())}`), entry };
  } catch {
    return { ...failure(`it is not JSON: ${excerptOf(text.trim())}`), entry };
  }
}

/** Finds one of the dropped names, or an escape that may stand for one of their letters. */
const DROPPED = /"(?:__proto__|constructor)"|\\u00[3-7]/;

/** A reviver that drops members whose names have a meaning in JavaScript (docs/security.md L4). */
function withoutDropped(name: string, value: unknown): unknown {
  return name === "__proto__" || name === "constructor" ? undefined : value;
}
