import * as v from "valibot";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import { readPrivateFile } from "./private-file.ts";

/** docs/security.md L4: the deepest nesting that is parsed. */
const DEEPEST = 64;
const DROPPED = new Set(["__proto__", "constructor", "prototype"]);
/** Text without this has no dropped key, also none whose letters are escaped, and is parsed several times faster. */
const MAY_DROP = /__proto__|constructor|prototype|\\u00/;

/**
 * Parses untrusted JSON, nested at most 64 deep, without keys that could change a prototype. Returns `undefined` if the
 * text is invalid.
 */
export function parsedJson(text: string): unknown {
  if (depthOf(text) > DEEPEST) return undefined;
  try {
    if (!MAY_DROP.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value: unknown) => (DROPPED.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/**
 * The content of a private file, as `schema` reads it; `null` if there is no file. `most`: the most bytes. A problem is a
 * phrase.
 */
export function readJsonFile<Schema extends v.GenericSchema>(
  path: string,
  most: number,
  schema: Schema,
): Result<v.InferOutput<Schema> | null> {
  const file = readPrivateFile(path, most);
  if (!file.ok || file.value === null) return file as Result<null>;
  const stored = v.safeParse(schema, parsedJson(String(file.value)));
  return stored.success ? success(stored.output) : failure(`${path} is not in this Weir's format`);
}

/**
 * Nesting depth of arrays and objects, counted before parsing. One sign at a time: an expression for whole strings would
 * exceed the stack on a string of 10 MB.
 */
function depthOf(text: string): number {
  const signs = /["\\[\]{}]/g;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    const [sign] = found;
    if (sign === "\\") signs.lastIndex += 1;
    else if (sign === '"') inString = !inString;
    else if (inString) continue;
    else if (sign === "[" || sign === "{") depth += 1;
    else depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
