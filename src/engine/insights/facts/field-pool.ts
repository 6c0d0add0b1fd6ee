import { fieldOf, type HeaderField } from "../../model/head.ts";

/** Our choice: lines that are kept to be shared; most headers say the same again and again. */
const MOST_SHARED = 50_000;

/** Our choice: longer lines are seldom said twice. */
const LONGEST_SHARED = 128;

/** Header lines with names in lower case, where equal lines are one object: a session has millions of them. */
export class FieldPool {
  /** By the line as written, so that one that is known is not read again. */
  readonly #shared = new Map<string, HeaderField>();

  /** In order, duplicates kept; none of an absent head. */
  fieldsOf(head: string | null): readonly HeaderField[] {
    if (head === null) return NONE;
    const fields: HeaderField[] = [];
    for (const line of head.split("\n").slice(1)) {
      const field = this.#shared.get(line) ?? this.#read(line);
      if (field !== null) fields.push(field);
    }
    return fields;
  }

  #read(line: string): HeaderField | null {
    const written = fieldOf(line);
    if (written === null) return null;
    const field = { name: apart(written.name.toLowerCase()), value: apart(written.value) };
    if (line.length <= LONGEST_SHARED && this.#shared.size < MOST_SHARED) this.#shared.set(apart(line), field);
    return field;
  }
}

const NONE: readonly HeaderField[] = Object.freeze([]);

/** A copy: V8 keeps the whole text of which a string is a part. */
export function apart(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
