/** security.md, L4. */
const DEEPEST = 64;
const DROPPED = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The value of JSON text that somebody else may have written: nested at most 64 deep, without the keys that could change a
 * prototype. `undefined` where it is no such text (JSON itself knows no `undefined`).
 */
export function parsedJson(text: string): unknown {
  if (depthOf(text) > DEEPEST) return undefined;
  try {
    return JSON.parse(text, (key, value: unknown) => (DROPPED.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/** How deep arrays and objects nest, counted before anything is built. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
