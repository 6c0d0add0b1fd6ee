import { type Endpoint, partsOf } from "../model/endpoint.ts";
import { protocolName } from "../model/exchange.ts";
import { MARKS } from "../model/remark.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import type { Comparison, Filter, Term } from "./filter.ts";
import type { Interned } from "./interned.ts";
import type { Judge } from "./judge.ts";

type Test = (row: number) => boolean;

/**
 * A filter over the rows of one table. Texts that repeat are looked at once, then remembered by their number.
 * `matches` says what cannot change once an exchange has ended; `holdsNow` what depends on the statistics.
 */
export class Matcher {
  readonly #tests: readonly Test[];
  readonly #judged: readonly ("slow" | "oversized")[];

  constructor(table: ExchangeTable, filter: Filter) {
    // The cheap ones first.
    const inOrder = filter.toSorted((a, b) => Number(a.kind === "text") - Number(b.kind === "text"));
    this.#judged = filter.flatMap((term) => (term.kind === "flag" && term.flag !== "error" ? [term.flag] : []));
    this.#tests = inOrder.flatMap((term) => testOf(table, term) ?? []);
  }

  /** Whether `holdsNow` can say anything but yes. */
  get isJudged(): boolean {
    return this.#judged.length > 0;
  }

  /** Whether `matches` can say anything but yes. */
  get isChoosy(): boolean {
    return this.#tests.length > 0;
  }

  matches(row: number): boolean {
    for (const test of this.#tests) if (!test(row)) return false;
    return true;
  }

  holdsNow(row: number, judge: Judge): boolean {
    return this.#judged.every((flag) => (flag === "slow" ? judge.isSlow(row) : judge.isOversized(row)));
  }
}

/** A literal, whatever signs it holds: no part of what a person typed is ever a pattern. */
export function literal(text: string): RegExp {
  return new RegExp(escaped(text), "i");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function testOf(table: ExchangeTable, term: Term): Test | null {
  switch (term.kind) {
    case "status":
      return (row) => table.status.at(row) >= term.least && table.status.at(row) <= term.most;
    case "duration":
      return (row) => compare(table.latencyAt(row), term.comparison, term.limit);
    case "size":
      return (row) => compare(table.encodedBodySize.at(row), term.comparison, term.limit);
    case "connection":
      return (row) => table.connection.at(row) === term.connection + 1;
    case "tag":
      return (row) => table.hasTag(row, term.tag);
    case "mark": {
      const { mark } = term;
      if (mark === null) return (row) => table.mark.at(row) !== 0;
      const code = MARKS.indexOf(mark) + 1;
      return (row) => table.mark.at(row) === code;
    }
    case "comment": {
      const pattern = literal(term.text);
      return (row) => {
        const comment = table.commentAt(row);
        return comment !== null && pattern.test(comment);
      };
    }
    case "flag":
      return term.flag === "error" ? (row) => table.isErrorAt(row) : null;
    case "text":
      return textTestOf(table, term.field, term.text);
  }
}

function textTestOf(table: ExchangeTable, field: (Term & { kind: "text" })["field"], text: string): Test {
  const pattern = literal(text);
  const lower = text.toLowerCase();
  switch (field) {
    case "method":
      return remembered(table.texts, table.method, (method) => method.toLowerCase() === lower);
    case "host":
      return remembered(table.texts, table.origin, (origin) => pattern.test(hostOf(origin)));
    case "client":
      return remembered(table.texts, table.client, (client) => pattern.test(client));
    case "type":
      return remembered(table.texts, table.contentType, (type) => pattern.test(type));
    case "protocol":
      return remembered(table.texts, table.protocol, (name) => pattern.test(name) || pattern.test(protocolName(name)));
    case "endpoint":
      return remembered(table.endpoints, table.endpoint, (endpoint) => endpoint === text);
    case "word":
      return wordTestOf(table, text, pattern);
  }
}

/** Anywhere in method and URL, or in the status. What an endpoint says of all of its rows is asked of it once. */
function wordTestOf(table: ExchangeTable, text: string, pattern: RegExp): Test {
  const rests = restsOf(text);
  const codeOf = numbered(table.endpoints, table.endpoint, (endpoint) => {
    if (pattern.test(endpoint)) return YES;
    return rests(endpoint).length === 0 ? NO : BEGUN;
  });
  const inStatus = /^\d{1,3}$/.test(text) ? statusTestOf(table, text) : null;
  return (row) => {
    const code = codeOf(row);
    if (code === YES || inStatus?.(row) === true) return true;
    const target = table.ownTargetAt(row);
    if (target === null) return false;
    return pattern.test(target) || (code === BEGUN && rests(table.endpointAt(row)).some((rest) => rest.test(target)));
  };
}

function statusTestOf(table: ExchangeTable, text: string): Test {
  const answers: (boolean | undefined)[] = [];
  return (row) => {
    const status = table.status.at(row);
    const known = answers[status];
    if (known !== undefined) return known;
    const answer = status !== 0 && String(status).includes(text);
    answers[status] = answer;
    return answer;
  };
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

/** `https://api.test:8443` → `api.test:8443`. */
export function hostOf(origin: string): string {
  const end = origin.indexOf("://");
  return end < 0 ? origin : origin.slice(end + 3);
}

const UNKNOWN = 0;
const NO = 1;
const YES = 2;
/** The text may begin here and go on in the row's target. */
const BEGUN = 3;

function remembered<Text extends string>(
  texts: Interned<Text>,
  column: { at(row: number): number },
  test: (text: Text) => boolean,
): Test {
  const codeOf = numbered(texts, column, (text) => (test(text) ? YES : NO));
  return (row) => codeOf(row) === YES;
}

/** What is told of each text once, by its number. */
function numbered<Text extends string>(
  texts: Interned<Text>,
  column: { at(row: number): number },
  codeOf: (text: Text) => number,
): (row: number) => number {
  let codes = new Uint8Array(Math.max(64, texts.size));
  return (row) => {
    const number = column.at(row);
    const known = codes[number];
    if (known !== undefined && known !== UNKNOWN) return known;
    if (known === undefined) {
      const larger = new Uint8Array(2 * Math.max(texts.size, number));
      larger.set(codes);
      codes = larger;
    }
    const text = texts.textAt(number);
    const code = text === null ? NO : codeOf(text);
    codes[number] = code;
    return code;
  };
}

function compare(value: number, comparison: Comparison, limit: number): boolean {
  switch (comparison) {
    case "<":
      return value < limit;
    case "<=":
      return value <= limit;
    case ">":
      return value > limit;
    case ">=":
      return value >= limit;
  }
}
