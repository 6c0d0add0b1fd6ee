import { evictOldest } from "../../model/evict-oldest.ts";
import { fieldOf, type HeaderField } from "../../model/head.ts";

/** How many buckets of shared lines there are; a power of two. */
const BUCKETS = 4_096;

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
   * The shared lines as received, two in each bucket, and their fields. A line that recurs takes the first place of its
   * bucket and a new one the second, so that lines that come once displace only each other.
   */
  readonly #lines = new Array<string>(2 * BUCKETS).fill("");
  readonly #fields = new Array<HeaderField | null>(2 * BUCKETS).fill(null);
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
    for (let end = head.indexOf("\n"); end >= 0; ) {
      const from = end + 1;
      end = head.indexOf("\n", from);
      const field = this.#fieldAt(head, from, end < 0 ? head.length : end);
      if (field !== null) fields.push(field);
    }
    // The caller keeps the array for long, and a copy has no unused capacity.
    return fields.slice();
  }

  #fieldAt(head: string, from: number, to: number): HeaderField | null {
    if (to - from > LONGEST_SHARED) return this.#made(head.slice(from, to));
    const [lines, fields, first] = [this.#lines, this.#fields, 2 * bucketOf(head, from, to)];
    if (isAt(head, from, to, lines[first] as string)) return fields[first] as HeaderField | null;
    const [line, field] = [lines[first + 1] as string, fields[first + 1] as HeaderField | null];
    if (isAt(head, from, to, line)) {
      [lines[first + 1], fields[first + 1]] = [lines[first] as string, fields[first] as HeaderField | null];
      [lines[first], fields[first]] = [line, field];
      return field;
    }
    const made = this.#made(head.slice(from, to));
    [lines[first + 1], fields[first + 1]] = [apart(head.slice(from, to)), made];
    return made;
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

/** The bucket of a line, by a hash (FNV-1a over the characters). The line is not cut from its head for that. */
function bucketOf(head: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ head.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}

function isAt(head: string, from: number, to: number, line: string): boolean {
  return line.length === to - from && head.startsWith(line, from);
}

/**
 * A copy that shares no memory with its source. A substring of 13 characters and more would keep the whole source text
 * in memory, and a sum of strings both of its parts (V8).
 */
export function apart(text: string): string {
  return text.length < 13 ? text : [text.slice(0, 1), text.slice(1)].join("");
}
