import { PLACEHOLDER } from "../insights/path-template.ts";
import { type Endpoint, partsOf } from "../model/endpoint.ts";
import type { WholeColumn } from "./column.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { escaped, literal } from "./literal.ts";
import type { RepeatingTextColumn } from "./repeating-text-column.ts";
import { RowTest } from "./row-test.ts";
import { NO, STATUSES, TextCodes, UNKNOWN, YES } from "./text-codes.ts";

/** The text may begin in the endpoint and go on in the row's target. */
const BEGUN = 4;
/** The target has no number: it is the endpoint's path, or one that is not kept once. */
const NUMBERLESS = 8;

/**
 * A text anywhere in method and URL, or in the status. What an endpoint says of all of its rows is asked of it once, and what
 * a target says that stands in many rows.
 */
export class WordTest extends RowTest {
  readonly #table: ExchangeTable;
  readonly #pattern: RegExp;
  readonly #rests: (endpoint: Endpoint) => readonly RegExp[];
  readonly #endpoint: WholeColumn;
  readonly #targets: RepeatingTextColumn;
  readonly #inEndpoint: TextCodes<Endpoint>;
  readonly #inTarget: TextCodes<string>;
  /** `null`: the text is no part of a status. */
  readonly #inStatus: TextCodes<string> | null;

  constructor(table: ExchangeTable, text: string) {
    super();
    this.#table = table;
    this.#pattern = literal(text);
    this.#rests = restsOf(text);
    this.#endpoint = table.endpoint;
    this.#targets = table.ownTargets;
    this.#inTarget = new TextCodes(
      this.#targets.texts,
      (target) => (this.#pattern.test(target) ? YES : NO),
      NUMBERLESS,
    );
    this.#inEndpoint = new TextCodes(table.endpoints, (endpoint) => {
      if (this.#pattern.test(endpoint)) return isSent(endpoint, this.#pattern) ? YES : BEGUN;
      return this.#rests(endpoint).length === 0 ? NO : BEGUN;
    });
    const isDigits = /^\d{1,3}$/.test(text);
    this.#inStatus = isDigits ? new TextCodes(STATUSES, (status) => (status.includes(text) ? YES : NO)) : null;
  }

  override holds(row: number): boolean {
    const code = this.#inEndpoint.at(this.#endpoint.at(row));
    if (code === YES || this.#inStatus?.at(this.#table.status.at(row)) === YES) return true;
    const number = this.#targets.numbers.at(row);
    if (number !== 0 && this.#inTarget.at(number) === YES) return true;
    if (number !== 0 && code !== BEGUN) return false;
    const target = this.#targets.at(row);
    if (target === null) return code === BEGUN && this.#pattern.test(this.#table.endpointAt(row));
    return (number === 0 && this.#pattern.test(target)) || (code === BEGUN && this.#goesOn(row, target));
  }

  override keep(rows: Uint32Array, count: number): number {
    const { numbers, hasOthers } = this.#targets;
    const [endpoints, targets] = [this.#endpoint.read(rows, count), numbers.read(rows, count)];
    const statuses = this.#inStatus === null ? endpoints : this.#table.status.read(rows, count);
    const [inEndpoint, inTarget] = [this.#inEndpoint.all(), this.#inTarget.all()];
    const inStatus = this.#inStatus?.all() ?? inEndpoint;
    const open = YES | BEGUN | UNKNOWN | (hasOthers ? NUMBERLESS : 0);
    // Those that hold, and those of which more must be known.
    let found = 0;
    let isOpen = false;
    for (let place = 0; place < count; place += 1) {
      const codes =
        (inEndpoint[endpoints[place] as number] as number) |
        (inTarget[targets[place] as number] as number) |
        (inStatus[statuses[place] as number] as number);
      if ((codes & open) === 0) continue;
      isOpen ||= (codes & YES) === 0;
      rows[found] = rows[place] as number;
      found += 1;
    }
    return isOpen ? super.keep(rows, found) : found;
  }

  #goesOn(row: number, target: string): boolean {
    return this.#rests(this.#table.endpointAt(row)).some((rest) => rest.test(target));
  }
}

/** Whether a text stands in what all rows of the endpoint sent: what stands for an id in a grouped path was not sent. */
function isSent(endpoint: Endpoint, pattern: RegExp): boolean {
  return pattern.test(endpoint.replaceAll(`/${PLACEHOLDER}`, "/\n"));
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
