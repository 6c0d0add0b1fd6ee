import { fieldOf, type HeaderField } from "../../model/head.ts";

/**
 * Default; not from a specification: the most lines, and the most names, that are shared. Most header lines recur
 * unchanged.
 */
const MOST_SHARED = 10_000;

/** Default; not from a specification: longer lines rarely repeat and are not shared. */
const LONGEST_SHARED = 128;

/**
 * Parses header lines, with names in lower case. Equal lines give the same object, since a session has millions of
 * lines.
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
    // A copy has no unused capacity; the caller keeps it for long.
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

  /** The name as a string that all fields of this name share, unless too many names are shared already. */
  #nameOf(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const own = apart(name);
    if (this.#names.size < MOST_SHARED) this.#names.set(own, own);
    return own;
  }
}

const NONE: readonly HeaderField[] = Object.freeze([]);

/** A copy that shares no memory with its source: V8 keeps a whole text alive if a string was cut from it. */
export function apart(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
