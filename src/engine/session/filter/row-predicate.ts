import { queryPairsOf } from "../../insights/facts/query-pairs.ts";
import { PLACEHOLDER } from "../../insights/path-templates.ts";
import { type Endpoint, partsOf, pathOf } from "../../model/endpoint.ts";
import type { WholeColumn } from "../table/column.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { LongTargetColumn } from "../table/long-targets.ts";
import { inOneCase, type Literal, literal } from "./literal.ts";
import type { Condition } from "./term.ts";

/** One term of a filter, as a test of rows. */
export interface RowPredicate {
  readonly holds: (row: number) => boolean;
  /** Moves the matching rows among the first `count` to the front, in order, and returns their number. */
  readonly retainMatches: (rows: Uint32Array, count: number) => number;
}

export function rowPredicate(holds: (row: number) => boolean): RowPredicate {
  return { holds, retainMatches: (rows, count) => retained(rows, count, holds) };
}

/** A column with the numbers of texts, and the texts' codes. */
interface CodedColumn {
  readonly numbers: WholeColumn;
  readonly codes: Pick<TextMatchCache<string>, "all">;
}

/**
 * A test that the codes of a row's texts decide for most rows. `holds`: the test of one row; `openTo`: the codes of
 * which one is needed to match.
 */
export function codedPredicate(
  [first, second = first, third = first]: readonly [CodedColumn, CodedColumn?, CodedColumn?],
  holds: (row: number) => boolean,
  openTo = (): number => MATCH | UNKNOWN,
): RowPredicate {
  const isAlone = second === first;
  return {
    holds,
    retainMatches: (rows, count) => {
      const [firsts, seconds] = [first.numbers.read(rows, count), second.numbers.read(rows, count)];
      const thirds = third.numbers.read(rows, count);
      const [firstCodes, secondCodes, thirdCodes] = [first.codes.all(), second.codes.all(), third.codes.all()];
      const open = openTo();
      // Keeps rows that match or need a further test. `isOpen`: whether a kept row needs one.
      let found = 0;
      let isOpen = false;
      for (let index = 0; index < count; index += 1) {
        let codes = firstCodes[firsts[index] as number] as number;
        if (!isAlone)
          codes |= (secondCodes[seconds[index] as number] as number) | (thirdCodes[thirds[index] as number] as number);
        if ((codes & open) === 0) continue;
        isOpen ||= (codes & MATCH) === 0;
        rows[found] = rows[index] as number;
        found += 1;
      }
      return isOpen ? retained(rows, found, holds) : found;
    },
  };
}

function retained(rows: Uint32Array, count: number, holds: (row: number) => boolean): number {
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    if (!holds(row)) continue;
    rows[kept] = row;
    kept += 1;
  }
  return kept;
}

/**
 * The column with a condition's results for abbreviated targets, which only storage has whole; `null` if the condition
 * is not about targets.
 */
export function longTargetsOf(table: ExchangeTable, condition: Condition): LongTargetColumn | null {
  const { longTargets } = table;
  const key = JSON.stringify(condition);
  if (condition.kind === "query") return longTargets.of(key, (_, target) => hasPair(target, condition));
  if (condition.kind !== "text") return null;
  const pattern = literal(condition.text);
  if (condition.field === "path") return longTargets.of(key, (_, target) => pattern.test(pathOf(target)));
  if (condition.field !== "word") return null;
  return longTargets.of(key, (row, target) => pattern.test(`${table.methodAt(row)} ${table.originAt(row)}${target}`));
}

/** Whether the target's query has the parameter, with the value if the condition names one. */
export function hasPair(target: string, { name, value }: Condition & { readonly kind: "query" }): boolean {
  const wanted = value?.toLowerCase();
  return queryPairsOf(target).some(
    ([key, each]) => key === name && (wanted === undefined || each.toLowerCase() === wanted),
  );
}

/**
 * A test of targets that is right for abbreviated ones as well. `others`: the test of all other rows. `isOfStatus`:
 * whether a row's status can match instead of its target.
 */
export function longTargetPredicate(long: LongTargetColumn, others: RowPredicate, isOfStatus: boolean): RowPredicate {
  const each = rowPredicate((row) => {
    const known = long.at(row);
    return known === null || (!known && isOfStatus) ? others.holds(row) : known;
  });
  const retainMatches: RowPredicate["retainMatches"] = (rows, count) =>
    (long.isNeeded ? each : others).retainMatches(rows, count);
  return { holds: each.holds, retainMatches };
}

/** The code of an endpoint that does not decide alone: whether a row matches depends on the row's target. */
const BEGUN = 4;
/** The code of a target without a number: the target is the endpoint's path, or is not interned. */
const NUMBERLESS = 8;

/**
 * Matches a text anywhere in method and URL, or in the status. Results are cached if they hold for a whole endpoint or
 * for a repeated target.
 */
export function wordPredicate(table: ExchangeTable, text: string): RowPredicate {
  const { endpoint, endpoints, ownTargets, status } = table;
  const pattern = literal(text);
  const restsIn = restsOf(text);
  const inTarget = matchCacheOf(ownTargets.texts, (target) => pattern.test(target), NUMBERLESS);
  const inEndpoint = new TextMatchCache(endpoints, (name) => {
    if (pattern.test(name)) return isSent(name, pattern) ? MATCH : BEGUN;
    return restsIn(name).length === 0 ? NO_MATCH : BEGUN;
  });
  /** `null` if the text cannot occur in a status. */
  const inStatus = /^\d{1,3}$/.test(text) ? matchCacheOf(STATUSES, (digits) => digits.includes(text)) : null;
  const goesOn = (row: number, target: string) => restsIn(table.endpointAt(row)).some((rest) => begins(target, rest));
  const holds = (row: number): boolean => {
    const code = inEndpoint.at(endpoint.at(row));
    if (code === MATCH || inStatus?.at(status.at(row)) === MATCH) return true;
    const number = ownTargets.numbers.at(row);
    if (number !== 0 && inTarget.at(number) === MATCH) return true;
    if (number !== 0 && code !== BEGUN) return false;
    const target = ownTargets.at(row);
    if (target === null) return code === BEGUN && pattern.test(table.endpointAt(row));
    return (number === 0 && pattern.test(target)) || (code === BEGUN && goesOn(row, target));
  };
  return codedPredicate(
    [
      { numbers: endpoint, codes: inEndpoint },
      { numbers: ownTargets.numbers, codes: inTarget },
      ...(inStatus === null ? ([] as const) : ([{ numbers: status, codes: inStatus }] as const)),
    ],
    holds,
    () => MATCH | BEGUN | UNKNOWN | (ownTargets.hasOthers ? NUMBERLESS : 0),
  );
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

/** Texts that are found by number, as in `Interned`. */
export interface Numbered<Text extends string> {
  readonly size: number;
  textAt(number: number): Text | null;
}

/** The number of a three-digit status is the status itself; 0 stands for none. */
export const STATUSES: Numbered<string> = { size: 1_000, textAt: (status) => (status === 0 ? null : String(status)) };

/**
 * The code of a text that does not match. Codes are single bits, so codes of several texts can be ORed and tested at
 * once.
 */
const NO_MATCH = 1;
export const MATCH = 2;
/** The code of a text that was not tested yet. */
const UNKNOWN = 128;

/** The cached results of a test. `none`: as in `TextMatchCache`. */
export function matchCacheOf<Text extends string>(
  texts: Numbered<Text>,
  test: (text: Text) => boolean,
  none = NO_MATCH,
): TextMatchCache<Text> {
  return new TextMatchCache(texts, (text) => (test(text) ? MATCH : NO_MATCH), none);
}

/** Caches a code for each text, by the text's number. Each code is computed once. */
class TextMatchCache<Text extends string> {
  readonly #texts: Numbered<Text>;
  readonly #codeOf: (text: Text) => number;
  readonly #none: number;
  #codes: Uint8Array;

  /** `none`: the code for number 0, which stands for no text. */
  constructor(texts: Numbered<Text>, codeOf: (text: Text) => number, none = NO_MATCH) {
    this.#texts = texts;
    this.#codeOf = codeOf;
    this.#none = none;
    this.#codes = new Uint8Array(Math.max(64, texts.size)).fill(UNKNOWN);
  }

  at(number: number): number {
    const known = this.#codes[number] ?? UNKNOWN;
    return known === UNKNOWN ? this.#matchOf(number) : known;
  }

  /**
   * The codes by text number; `UNKNOWN` where none was computed yet. Valid until texts are added. Reading this array
   * takes a third of the time of calling `at` in a loop.
   */
  all(): Uint8Array {
    if (this.#texts.size > this.#codes.length) this.#grow(this.#texts.size);
    return this.#codes;
  }

  #matchOf(number: number): number {
    if (number >= this.#codes.length) this.#grow(number);
    const text = this.#texts.textAt(number);
    const code = text === null ? this.#none : this.#codeOf(text);
    this.#codes[number] = code;
    return code;
  }

  #grow(least: number): void {
    const larger = new Uint8Array(2 * Math.max(this.#texts.size, least)).fill(UNKNOWN);
    larger.set(this.#codes);
    this.#codes = larger;
  }
}
