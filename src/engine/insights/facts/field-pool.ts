import { evictOldest } from "../../model/evict-oldest.ts";
import { fieldOf, type HeaderField } from "../../model/head.ts";

/** The most shared lines of a generation. */
const MOST_LINES = 4_096;

/** The most shared names. */
const MOST_NAMES = 10_000;

/** A line with more characters than this is not shared, since long lines rarely recur. */
const LONGEST_SHARED = 128;

/** The most lists of fields that requests share; the oldest is evicted. Longer heads, in characters, share none. */
const MOST_LISTS = 2_000;
const LONGEST_LIST = 2_048;

/**
 * Parses header lines into fields with lower-case names. Equal lines usually get the same object, to save memory: a
 * session has millions of lines, and most recur.
 */
export class FieldPool {
  /**
   * The shared lines as received, and those of the generation before. A line that recurs passes to the next generation,
   * so that lines that come once displace only each other.
   */
  #lines = new Map<string, HeaderField>();
  #earlier: ReadonlyMap<string, HeaderField> = new Map();
  readonly #names = new Map<string, string>();
  /** The fields of requests by their lines. */
  readonly #lists = new Map<string, readonly HeaderField[]>();

  /** `fieldsOf` a request. Many requests of a client differ in their first line only, and share one list. */
  requestFieldsOf(head: string): readonly HeaderField[] {
    const lines = head.slice(head.indexOf("\n"));
    const known = this.#lists.get(lines);
    if (known !== undefined) return known;
    const fields = this.fieldsOf(lines);
    if (lines.length > LONGEST_LIST) return fields;
    this.#lists.set(apart(lines), fields);
    evictOldest(this.#lists, MOST_LISTS);
    return fields;
  }

  /** The fields of a head in order, with duplicates; empty if `head` is `null`. */
  fieldsOf(head: string | null): readonly HeaderField[] {
    if (head === null) return NONE;
    const fields: HeaderField[] = [];
    for (const line of head.split("\n").slice(1)) {
      const field = this.#fieldOf(line);
      if (field !== null) fields.push(field);
    }
    // The caller keeps the array for long, and a copy has no unused capacity.
    return fields.slice();
  }

  #fieldOf(line: string): HeaderField | null {
    if (line.length > LONGEST_SHARED) return this.#made(line);
    const known = this.#lines.get(line);
    if (known !== undefined) return known;
    const field = this.#earlier.get(line) ?? this.#made(line);
    if (field === null) return null;
    if (this.#lines.size >= MOST_LINES) [this.#earlier, this.#lines] = [this.#lines, new Map()];
    this.#lines.set(apart(line), field);
    return field;
  }

  #made(line: string): HeaderField | null {
    const written = fieldOf(line);
    return written && { name: this.#nameOf(written.name.toLowerCase()), value: apart(written.value) };
  }

  /** The name as one string for all fields with this name. Once `MOST_NAMES` names are shared, new names are not. */
  #nameOf(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    // A property's name is compared by identity, not by its characters (V8): rules look for a name dozens of times.
    const [own = name] = Object.keys({ [name]: true });
    if (this.#names.size < MOST_NAMES) this.#names.set(own, own);
    return own;
  }
}

const NONE: readonly HeaderField[] = Object.freeze([]);

/**
 * A copy that shares no memory with its source. A substring of 13 characters and more would keep the whole source text
 * in memory, and a sum of strings both of its parts (V8).
 */
export function apart(text: string): string {
  return text.length < 13 ? text : [text.slice(0, 1), text.slice(1)].join("");
}
