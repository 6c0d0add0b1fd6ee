import { apart } from "./facts/field-pool.ts";

/** A longer text rarely recurs. */
const LONGEST = 128;

/**
 * The function with its results remembered for the first `most` texts. For tests of names and media types: a session
 * has few of them, and asks about each many thousand times.
 */
export function memoized<Value>(of: (text: string) => Value, most = 2_000): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = of(text);
    if (known.size < most && text.length <= LONGEST) known.set(apart(text), value);
    return value;
  };
}
