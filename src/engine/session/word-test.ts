import { type Endpoint, partsOf } from "../model/endpoint.ts";
import type { WholeColumn } from "./column.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { escaped, literal } from "./literal.ts";
import type { RepeatingTextColumn } from "./repeating-text-column.ts";
import { RowTest } from "./row-test.ts";
import { NO, TextCodes, YES } from "./text-codes.ts";

/** The text may begin in the endpoint and go on in the row's target. */
const BEGUN = 3;

/** One more than the highest status. */
const STATUSES = 1_000;

/**
 * A text anywhere in method and URL, or in the status. What an endpoint says of all of its rows is asked of it once, and what
 * a target says that stands in many rows.
 */
export class WordTest extends RowTest {
  readonly #table: ExchangeTable;
  readonly #pattern: RegExp;
  readonly #rests: (endpoint: Endpoint) => readonly RegExp[];
  readonly #codes: TextCodes<Endpoint>;
  readonly #endpoint: WholeColumn;
  readonly #targets: RepeatingTextColumn;
  readonly #inTarget: TextCodes<string>;
  /** By status: 1 where the text is in it. */
  readonly #inStatus: Uint8Array;

  constructor(table: ExchangeTable, text: string) {
    super();
    this.#table = table;
    this.#pattern = literal(text);
    this.#rests = restsOf(text);
    this.#endpoint = table.endpoint;
    this.#targets = table.ownTargets;
    this.#inTarget = new TextCodes(this.#targets.texts, (target) => (this.#pattern.test(target) ? YES : NO));
    this.#codes = new TextCodes(table.endpoints, (endpoint) => {
      if (this.#pattern.test(endpoint)) return YES;
      return this.#rests(endpoint).length === 0 ? NO : BEGUN;
    });
    const inStatus = (status: number): boolean =>
      status !== 0 && /^\d{1,3}$/.test(text) && String(status).includes(text);
    this.#inStatus = Uint8Array.from({ length: STATUSES }, (_, status) => Number(inStatus(status)));
  }

  override holds(row: number): boolean {
    const code = this.#codes.at(this.#endpoint.at(row));
    if (code === YES || this.#inStatus[this.#table.status.at(row)] === 1) return true;
    const number = this.#targets.numberAt(row);
    if (number !== 0 && this.#inTarget.at(number) === YES) return true;
    if (number !== 0 && code !== BEGUN) return false;
    const target = this.#targets.at(row);
    if (target === null) return false;
    return (number === 0 && this.#pattern.test(target)) || (code === BEGUN && this.#goesOn(row, target));
  }

  #goesOn(row: number, target: string): boolean {
    return this.#rests(this.#table.endpointAt(row)).some((rest) => rest.test(target));
  }
}

/**
 * What a target must begin with where the text begins before it. So few endpoints end as a text begins that no row's URL
 * need be put together:
 *
 *   GET https://api.test│/users?page=2        of "api.test/us" it is "/us"
 */
function restsOf(text: string): (endpoint: Endpoint) => readonly RegExp[] {
  const splits = Array.from({ length: Math.max(0, text.length - 1) }, (_, place) => ({
    begin: new RegExp(`${escaped(text.slice(0, place + 1))}$`, "i"),
    rest: new RegExp(`^${escaped(text.slice(place + 1))}`, "i"),
  }));
  const known = new Map<string, readonly RegExp[]>();
  return (endpoint) => {
    const { method, origin } = partsOf(endpoint);
    const before = `${method} ${origin}`;
    const rests = known.get(before) ?? splits.flatMap(({ begin, rest }) => (begin.test(before) ? rest : []));
    known.set(before, rests);
    return rests;
  };
}
