import { fieldsOf, type HeaderField } from "../../model/head.ts";

/** Our choice: pairs that are kept to be shared; most headers say the same again and again. */
const MOST_SHARED = 50_000;

/** Our choice: longer values are seldom said twice. */
const LONGEST_SHARED = 128;

/** Header lines with names in lower case, where equal lines are one object: a session has millions of them. */
export class FieldPool {
  /** By name and value. */
  readonly #shared = new Map<string, Map<string, HeaderField>>();
  #count = 0;

  /** In order, duplicates kept; none of an absent head. */
  fieldsOf(head: string | null): readonly HeaderField[] {
    return head === null ? NONE : fieldsOf(head).map((field) => this.#pooled(field.name.toLowerCase(), field.value));
  }

  #pooled(written: string, value: string): HeaderField {
    const shared = this.#shared.get(written);
    const known = shared?.get(value);
    if (known !== undefined) return known;
    const field = { name: apart(written), value: apart(value) };
    if (value.length > LONGEST_SHARED || this.#count >= MOST_SHARED) return field;
    this.#count += 1;
    if (shared === undefined) this.#shared.set(field.name, new Map([[field.value, field]]));
    else shared.set(field.value, field);
    return field;
  }
}

const NONE: readonly HeaderField[] = Object.freeze([]);

/** A copy: V8 keeps the whole text of which a string is a part. */
export function apart(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
