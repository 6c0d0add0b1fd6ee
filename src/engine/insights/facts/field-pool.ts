import { fieldOf, type HeaderField } from "../../model/head.ts";

/** Default; not from a specification: the most lines, and names, that are shared; most headers recur unchanged. */
const MOST_SHARED = 10_000;

/** Longer lines are not shared, since they rarely repeat. Default; not from a specification. */
const LONGEST_SHARED = 128;

/** Header lines with names in lower case. Equal lines are one object, since a session has millions of them. */
export class FieldPool {
  /** By the line as written, so that a known line is not parsed again. */
  #shared = new Map<string, HeaderField>();
  /** The previous generation of lines: a line that occurs again moves to `#shared`, the others are dropped. */
  #before = new Map<string, HeaderField>();
  readonly #names = new Map<string, string>();

  /** In order, duplicates kept; empty without a head. */
  fieldsOf(head: string | null): readonly HeaderField[] {
    if (head === null) return NONE;
    const fields: HeaderField[] = [];
    for (const line of head.split("\n").slice(1)) {
      const field = this.#shared.get(line) ?? this.#read(line);
      if (field !== null) fields.push(field);
    }
    // The result is kept for long, and a copy has no spare capacity.
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

  /** One string for all fields of that name. */
  #nameOf(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const own = apart(name);
    if (this.#names.size < MOST_SHARED) this.#names.set(own, own);
    return own;
  }
}

const NONE: readonly HeaderField[] = Object.freeze([]);

/** A copy of the text, because V8 keeps the whole text alive from which a string was cut. */
export function apart(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
