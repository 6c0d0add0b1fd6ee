/** docs/security.md L4: the deepest nesting that is parsed. */
const DEEPEST = 64;
const DROPPED = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Parses untrusted JSON, nested at most 64 deep, without keys that could change a prototype. Returns `undefined` if the
 * text is invalid.
 */
export function parsedJson(text: string): unknown {
  if (depthOf(text) > DEEPEST) return undefined;
  try {
    return JSON.parse(text, (key, value: unknown) => (DROPPED.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/** Nesting depth of arrays and objects, counted before parsing. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
