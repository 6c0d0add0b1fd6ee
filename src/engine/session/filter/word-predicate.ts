import { PLACEHOLDER } from "../../insights/path-template.ts";
import { type Endpoint, partsOf } from "../../model/endpoint.ts";
import type { WholeColumn } from "../table/column.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { RepeatingTextColumn } from "../table/repeating-text-column.ts";
import { inOneCase, type Literal, literal } from "./literal.ts";
import { RowPredicate } from "./row-predicate.ts";
import { MATCH, NO_MATCH, STATUSES, TextMatchCache, UNKNOWN } from "./text-match-cache.ts";

/** The code of an endpoint that does not decide alone: whether a row matches depends on the row's target. */
const BEGUN = 4;
/** The code of a target without a number: the target is the endpoint's path, or is not interned. */
const NUMBERLESS = 8;

/**
 * Matches a text anywhere in method and URL, or in the status. Results are cached if they hold for a whole endpoint or
 * for a repeated target.
 */
export class WordPredicate extends RowPredicate {
  readonly #table: ExchangeTable;
  readonly #pattern: Literal;
  readonly #rests: (endpoint: Endpoint) => readonly string[];
  readonly #endpoint: WholeColumn;
  readonly #targets: RepeatingTextColumn;
  readonly #inEndpoint: TextMatchCache<Endpoint>;
  readonly #inTarget: TextMatchCache<string>;
  /** `null` if the text cannot occur in a status. */
  readonly #inStatus: TextMatchCache<string> | null;

  constructor(table: ExchangeTable, text: string) {
    super();
    this.#table = table;
    this.#pattern = literal(text);
    this.#rests = restsOf(text);
    this.#endpoint = table.endpoint;
    this.#targets = table.ownTargets;
    this.#inTarget = new TextMatchCache(
      this.#targets.texts,
      (target) => (this.#pattern.test(target) ? MATCH : NO_MATCH),
      NUMBERLESS,
    );
    this.#inEndpoint = new TextMatchCache(table.endpoints, (endpoint) => {
      if (this.#pattern.test(endpoint)) return isSent(endpoint, this.#pattern) ? MATCH : BEGUN;
      return this.#rests(endpoint).length === 0 ? NO_MATCH : BEGUN;
    });
    const isDigits = /^\d{1,3}$/.test(text);
    this.#inStatus = isDigits
      ? new TextMatchCache(STATUSES, (status) => (status.includes(text) ? MATCH : NO_MATCH))
      : null;
  }

  override holds(row: number): boolean {
    const code = this.#inEndpoint.at(this.#endpoint.at(row));
    if (code === MATCH || this.#inStatus?.at(this.#table.status.at(row)) === MATCH) return true;
    const number = this.#targets.numbers.at(row);
    if (number !== 0 && this.#inTarget.at(number) === MATCH) return true;
    if (number !== 0 && code !== BEGUN) return false;
    const target = this.#targets.at(row);
    if (target === null) return code === BEGUN && this.#pattern.test(this.#table.endpointAt(row));
    return (number === 0 && this.#pattern.test(target)) || (code === BEGUN && this.#goesOn(row, target));
  }

  override retainMatches(rows: Uint32Array, count: number): number {
    const { numbers, hasOthers } = this.#targets;
    const [endpoints, targets] = [this.#endpoint.read(rows, count), numbers.read(rows, count)];
    const statuses = this.#inStatus === null ? endpoints : this.#table.status.read(rows, count);
    const [inEndpoint, inTarget] = [this.#inEndpoint.all(), this.#inTarget.all()];
    const inStatus = this.#inStatus?.all() ?? inEndpoint;
    const open = MATCH | BEGUN | UNKNOWN | (hasOthers ? NUMBERLESS : 0);
    // Keeps rows that match or need a further test. `isOpen`: whether a kept row needs one.
    let found = 0;
    let isOpen = false;
    for (let place = 0; place < count; place += 1) {
      const codes =
        (inEndpoint[endpoints[place] as number] as number) |
        (inTarget[targets[place] as number] as number) |
        (inStatus[statuses[place] as number] as number);
      if ((codes & open) === 0) continue;
      isOpen ||= (codes & MATCH) === 0;
      rows[found] = rows[place] as number;
      found += 1;
    }
    return isOpen ? super.retainMatches(rows, found) : found;
  }

  #goesOn(row: number, target: string): boolean {
    return this.#rests(this.#table.endpointAt(row)).some((rest) => begins(target, rest));
  }
}

/** Whether the text occurs in the URL of every row of the endpoint. A template's placeholder occurs in no URL. */
function isSent(endpoint: Endpoint, pattern: Literal): boolean {
  return pattern.test(endpoint.replaceAll(`/${PLACEHOLDER}`, "/\n"));
}

/**
 * Finds matches that begin in the origin and continue in the target: returns, in one letter case, texts with which the
 * target then begins. Few origins end with the beginning of the text, so this is cheaper than joining each row's URL:
 *
 *   GET https://api.test│/users?page=2        for "api.test/us" the text is "/US"
 */
function restsOf(text: string): (endpoint: Endpoint) => readonly string[] {
  const wanted = inOneCase(text);
  const known = new Map<string, readonly string[]>();
  return (endpoint) => {
    const { method, origin } = partsOf(endpoint);
    const before = `${method} ${origin}`;
    const rests = known.get(before) ?? splits(inOneCase(before), wanted);
    known.set(before, rests);
    return rests;
  };
}

/** What follows in `wanted` after each of its beginnings with which `before` ends. */
function splits(before: string, wanted: string): readonly string[] {
  const rests: string[] = [];
  for (let length = 1; length < wanted.length && length <= before.length; length += 1)
    if (before.endsWith(wanted.slice(0, length))) rests.push(wanted.slice(length));
  return rests;
}

/** Whether the text begins with `rest`, which is in one letter case. */
function begins(text: string, rest: string): boolean {
  return text.length >= rest.length && inOneCase(text.slice(0, rest.length)) === rest;
}
