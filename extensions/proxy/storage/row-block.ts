import type { Side } from "../../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { type Block, type Heads, headsIn } from "./exchange-block.ts";
import { arrayOf, NUMBERS, numbersOf, type Telling, told } from "./exchange-row.ts";
import { type Extent, extentsOf } from "./extents.ts";

/*
 * Version 4 of the format kept a block in a row of the database: numbers, of each exchange its id, the lengths of its request's
 * and its response's head (NaN: none), and what `packNumbers` packs (Float64, little-endian); words, JSON, of each `wordsOf`
 * and four numbers per extent of its request's body and of its response's; heads, of each its request's head, its response's.
 */

const BEFORE_NUMBERS = 3;
const EACH = BEFORE_NUMBERS + NUMBERS;

/** Such a row. What is damaged is absent. */
export class RowBlock implements Block {
  readonly #numbers: Float64Array;
  readonly #heads: string;
  readonly #words: unknown[];
  /** By id: which it is, and where its heads begin. */
  readonly #places = new Map<ExchangeId, { readonly index: number; readonly head: number }>();

  /** Of `row` only what lies in it is believed, not its types. */
  constructor(row: Readonly<Record<string, unknown>>) {
    const { numbers } = row;
    this.#numbers = numbers instanceof Uint8Array ? numbersOf(numbers) : new Float64Array();
    this.#heads = String(row["heads"]);
    this.#words = arrayOf(String(row["words"])) ?? [];
    let head = 0;
    for (let index = 0; (index + 1) * EACH <= this.#numbers.length; index += 1) {
      const [id = 0, request = 0, response = 0] = this.#numbers.subarray(index * EACH);
      if (Number.isSafeInteger(id)) this.#places.set(id as ExchangeId, { index, head });
      head += request + (Number.isNaN(response) ? 0 : response);
    }
  }

  get ids(): Block["ids"] {
    return this.#places;
  }

  /** `null` for one that is not here, or is damaged. */
  tellingOf(id: ExchangeId): Telling | null {
    const heads = this.headsOf(id);
    const [words] = this.#wordsOf(id);
    if (heads === null || !Array.isArray(words)) return null;
    const from = (this.#places.get(id)?.index ?? 0) * EACH + BEFORE_NUMBERS;
    return told(id, this.#numbers.subarray(from, from + NUMBERS), words, heads.request, heads.response);
  }

  headsOf(id: ExchangeId): Heads | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    const [, request = 0, response = 0] = this.#numbers.subarray(place.index * EACH);
    return headsIn(this.#heads, place.head, request, response);
  }

  /** `null` where they are damaged. */
  extentsOf(id: ExchangeId, side: Side): readonly Extent[] | null {
    const [, request, response] = this.#wordsOf(id);
    return extentsOf(side === "request" ? request : response);
  }

  #wordsOf(id: ExchangeId): unknown[] {
    const words = this.#words[this.#places.get(id)?.index ?? -1];
    return Array.isArray(words) ? words : [];
  }
}
