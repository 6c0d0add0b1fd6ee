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
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "i");
}

function testOf(table: ExchangeTable, term: Term): Test | null {
  switch (term.kind) {
    case "status":
      return (row) => table.status.at(row) >= term.least && table.status.at(row) <= term.most;
    case "duration":
      return (row) => compare(table.latencyAt(row), term.comparison, term.limit);
    case "size":
      return (row) => compare(table.encodedBodySize.at(row), term.comparison, term.limit);
    case "tag":
      return (row) => table.hasTag(row, term.tag);
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
    case "endpoint":
      return remembered(table.endpoints, table.endpoint, (endpoint) => endpoint === text);
    case "word":
      return wordTestOf(table, text, pattern);
  }
}

/** Anywhere in method and URL, or in the status. */
function wordTestOf(table: ExchangeTable, text: string, pattern: RegExp): Test {
  const inEndpoint = remembered(table.endpoints, table.endpoint, (endpoint) => pattern.test(endpoint));
  const canBeStatus = /^\d{1,3}$/.test(text);
  const crosses = /[/? ]/.test(text);
  return (row) => {
    if (inEndpoint(row)) return true;
    if (canBeStatus && String(table.status.at(row) || "").includes(text)) return true;
    const target = table.ownTargetAt(row);
    if (target === null) return false;
    // Only a text with one of these can begin before the target and end in it.
    if (!crosses) return pattern.test(target);
    const [method, origin] = [table.method.at(row), table.origin.at(row)].map((number) => table.texts.textAt(number));
    return pattern.test(`${method} ${origin}${target}`);
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

function remembered<Text extends string>(
  texts: Interned<Text>,
  column: { at(row: number): number },
  test: (text: Text) => boolean,
): Test {
  let answers = new Uint8Array(Math.max(64, texts.size));
  return (row) => {
    const number = column.at(row);
    if (number >= answers.length) {
      const larger = new Uint8Array(2 * Math.max(texts.size, number));
      larger.set(answers);
      answers = larger;
    }
    if (answers[number] === UNKNOWN) {
      const text = texts.textAt(number);
      answers[number] = text !== null && test(text) ? YES : NO;
    }
    return answers[number] === YES;
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
