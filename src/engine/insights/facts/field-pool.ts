import { fieldOf, type HeaderField } from "../../model/head.ts";

/** The most entries in each map of shared lines or names. */
const MOST_SHARED = 10_000;

/**
 * A line with more characters than this is not shared, since long lines rarely
 * recur.
 */
const LONGEST_SHARED = 128;

/**
 * Parses header lines into fields with lower-case names. Equal lines usually get the same object, to save memory: a
 * session has millions of lines, and most recur.
 */
export class FieldPool {
  /** The fields by their line as received, so that a known line is not parsed again. */
  #shared = new Map<string, HeaderField>();
  /**
   * The shared lines from before the last overflow. A line that occurs again moves to `#shared`; the other lines are
   * dropped at the next overflow.
   */
  #before = new Map<string, HeaderField>();
  readonly #names = new Map<string, string>();

  /** The fields of a head in order, with duplicates; empty if `head` is `null`. */
  fieldsOf(head: string | null): readonly HeaderField[] {
    if (head === null) return NONE;
    const fields: HeaderField[] = [];
    for (const line of head.split("\n").slice(1)) {
      const field = this.#shared.get(line) ?? this.#read(line);
      if (field !== null) fields.push(field);
    }
    // The caller keeps the array for long, and a copy has no unused capacity.
    return fields.slice();
  }

  #read(line: string): HeaderField | null {
    const field = this.#before.get(line) ?? this.#made(line);
    if (field !== null && line.length <= LONGEST_SHARED) this.#share(line, field);
    return field;
  }

  #made(line: string): HeaderField | null {
    const written = fieldOf(line);
    return written && { name: this.#nameOf(written.name.toLowerCase()), value: apart(written.value) };
  }

  #share(line: string, field: HeaderField): void {
    if (this.#shared.size >= MOST_SHARED) {
      this.#before = this.#shared;
      this.#shared = new Map();
    }
    this.#shared.set(apart(line), field);
  }

  /** The name as one string for all fields with this name. Once `MOST_SHARED` names are shared, new names are not. */
  #nameOf(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const own = apart(name);
    if (this.#names.size < MOST_SHARED) this.#names.set(own, own);
    return own;
  }
}

const NONE: readonly HeaderField[] = Object.freeze([]);

/** A copy that shares no memory with its source. A substring would keep the whole source text in memory (V8). */
export function apart(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
