export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parsed JSON; `null` if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** docs/security.md L4: the deepest nesting that is parsed. */
export const DEEPEST_JSON = 64;
const DROPPED = new Set(["__proto__", "constructor", "prototype"]);
/** Text without this has no dropped key, also none whose letters are escaped, and is parsed several times faster. */
const MAY_DROP = /__proto__|constructor|prototype|\\u00/;

/**
 * Parses untrusted JSON, nested at most `DEEPEST_JSON` deep, without keys that could change a prototype. Returns
 * `undefined` if the text is invalid.
 */
export function untrustedJsonOf(text: string): unknown {
  if (depthOf(text) > DEEPEST_JSON) return undefined;
  try {
    if (!MAY_DROP.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value: unknown) => (DROPPED.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/**
 * Nesting depth of arrays and objects, counted before parsing. One sign at a time: an expression for whole strings
 * would exceed the stack on a string of 10 MB.
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/** What a unit of the text is to the elements of the list: the first or the last unit of one, or neither. */
type ElementEdge = "first" | "last" | null;

/**
 * Finds the objects in one JSON list (RFC 8259) while its text arrives, unit by unit: bytes of UTF-8 or units of
 * UTF-16, since JSON's signs are ASCII. Other elements, objects within them and a text that is no list have no edges.
 */
export class JsonElements {
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isObject = false;
  /** Whether the list has ended, or the text is none. */
  #isOver = false;

  /** Whether an object has begun and not ended. */
  get isInside(): boolean {
    return this.#isObject;
  }

  take(unit: number): ElementEdge {
    if (this.#isOver) return null;
    if (this.#inString) {
      this.#takeInString(unit);
      return null;
    }
    if (this.#depth === 0) {
      if (unit === OPEN_LIST) this.#depth = 1;
      else this.#isOver = !isSpace(unit);
      return null;
    }
    switch (unit) {
      case QUOTE:
        this.#inString = true;
        return null;
      case OPEN_LIST:
      case OPEN_OBJECT:
        return this.#enter(unit);
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        return this.#leave();
      default:
        return null;
    }
  }

  #takeInString(unit: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === BACKSLASH) this.#isEscaped = true;
    else if (unit === QUOTE) this.#inString = false;
  }

  #enter(bracket: number): ElementEdge {
    this.#depth += 1;
    if (this.#depth > 2 || bracket !== OPEN_OBJECT) return null;
    this.#isObject = true;
    return "first";
  }

  #leave(): ElementEdge {
    this.#depth -= 1;
    this.#isOver = this.#depth === 0;
    if (this.#depth !== 1 || !this.#isObject) return null;
    this.#isObject = false;
    return "last";
  }
}

/** JSON's whitespace (RFC 8259, 2), and a byte order mark, whole or as bytes. */
function isSpace(unit: number): boolean {
  return [0x20, 0x0a, 0x0d, 0x09, 0xfeff, 0xef, 0xbb, 0xbf].includes(unit);
}
