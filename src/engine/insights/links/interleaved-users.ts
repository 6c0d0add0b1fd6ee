import { userMarksOf } from "../users.ts";
import type { Moment } from "./moment.ts";

/** The values that identify a request's user, as numbers by the name of their field, client and origin. */
export type Marks = ReadonlyMap<number, number>;

/** The most fields and values remembered. */
const MOST_TEXTS = 200_000;

/**
 * Tells whether two requests of one client come from different users behind it: the same field has two values, and both
 * were sent in turn. A value that replaces another, such as a renewed session, comes only after it.
 */
export class InterleavedUsers {
  readonly #numbers = new Map<string, number>();
  /** By value, the places of the first and the last request that sent it. */
  readonly #spans: { readonly first: number; last: number }[] = [];

  /** Notes a request and returns its marks. Requests must be given by start. */
  seen({ place, client, facts: { exchange, requestFields } }: Moment): Marks {
    const found = userMarksOf(requestFields);
    if (found.length === 0) return NONE;
    const marks = new Map<number, number>();
    for (const { name, value } of found) {
      const field = this.#numberOf(`${client} ${exchange.origin} ${name}`, place);
      const own = this.#numberOf(`${client} ${exchange.origin} ${name}\n${value}`, place);
      if (field === null || own === null) continue;
      const span = this.#spans[own];
      if (span !== undefined) span.last = place;
      marks.set(field, own);
    }
    return marks;
  }

  areTwo(one: Marks, other: Marks): boolean {
    for (const [field, value] of one) {
      const its = other.get(field);
      if (its !== undefined && its !== value && this.#overlap(value, its)) return true;
    }
    return false;
  }

  #overlap(value: number, other: number): boolean {
    const [one, two] = [this.#spans[value], this.#spans[other]];
    return one !== undefined && two !== undefined && one.first < two.last && two.first < one.last;
  }

  #numberOf(text: string, place: number): number | null {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    if (this.#numbers.size >= MOST_TEXTS) return null;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#spans.push({ first: place, last: place });
    return number;
  }
}

const NONE: Marks = new Map();
