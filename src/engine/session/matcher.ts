import { type Endpoint, hostOf, isWithin, partsOf } from "../model/endpoint.ts";
import { protocolName } from "../model/exchange.ts";
import { ClientTest } from "./client-test.ts";
import type { WholeColumn } from "./column.ts";
import { connectionCodeOf, markCodeOf } from "./exchange-codes.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import type { Comparison, Filter, Term } from "./filter.ts";
import type { Judge } from "./judge.ts";
import { literal } from "./literal.ts";
import { PlainTest, type RowTest } from "./row-test.ts";
import { NO, type Numbered, STATUSES, TextCodes, YES } from "./text-codes.ts";
import { TextTest } from "./text-test.ts";
import { WordTest } from "./word-test.ts";

/** What the statistics say of a row. */
type Judged = "slow" | "oversized";

/**
 * A filter over the rows of one table. Texts that repeat are looked at once, then remembered by their number.
 * `matches` says what cannot change once an exchange has ended; `holdsNow` what depends on the statistics.
 */
export class Matcher {
  readonly #tests: readonly RowTest[];
  readonly #judged: readonly Judged[];

  constructor(table: ExchangeTable, filter: Filter) {
    const inOrder = filter.toSorted((a, b) => effortOf(table, a) - effortOf(table, b));
    this.#judged = filter.flatMap((term) => (term.kind === "flag" && term.flag !== "error" ? [term.flag] : []));
    this.#tests = inOrder.flatMap((term) => testOf(table, term) ?? []);
  }

  /** What `holdsNow` asks for; empty: it can say nothing but yes. */
  get judged(): readonly Judged[] {
    return this.#judged;
  }

  /** Whether `matches` can say anything but yes. */
  get isChoosy(): boolean {
    return this.#tests.length > 0;
  }

  matches(row: number): boolean {
    return this.#tests.every((test) => test.holds(row));
  }

  /** As `matches`, of many rows at once: moves those that match to the front, in their order; how many they are. */
  keep(rows: Uint32Array): number {
    return this.#tests.reduce((count, test) => test.keep(rows, count), rows.length);
  }

  holdsNow(row: number, judge: Judge): boolean {
    return this.#judged.every((flag) => (flag === "slow" ? judge.isSlow(row) : judge.isOversized(row)));
  }
}

/** The less of an effort a term is, the earlier it is asked: by numbers of texts, by what lies in each row, by texts of each row. */
function effortOf({ ownTargets }: ExchangeTable, term: Term): number {
  if (term.kind === "text" && term.field === "word") return ownTargets.hasOthers ? 2 : 0;
  return ["text", "under", "status"].includes(term.kind) ? 0 : 1;
}

function testOf(table: ExchangeTable, term: Term): RowTest | null {
  switch (term.kind) {
    case "status":
      return told(STATUSES, table.status, (status) => Number(status) >= term.least && Number(status) <= term.most);
    case "duration":
      return new PlainTest((row) => compare(table.durationAt(row), term.comparison, term.limit));
    case "latency":
      return new PlainTest((row) => compare(table.latencyAt(row), term.comparison, term.limit));
    case "size":
      return new PlainTest((row) => compare(table.encodedBodySize.at(row), term.comparison, term.limit));
    case "connection": {
      const code = connectionCodeOf(term.connection);
      return new PlainTest((row) => table.connection.at(row) === code);
    }
    case "tag":
      return new PlainTest((row) => table.hasTag(row, term.tag));
    case "mark": {
      const { mark } = table.remarks;
      if (term.mark === null) return new PlainTest((row) => mark.at(row) !== 0);
      const code = markCodeOf(term.mark);
      return new PlainTest((row) => mark.at(row) === code);
    }
    case "comment": {
      const pattern = literal(term.text);
      const { comment } = table.remarks;
      return new PlainTest((row) => {
        const text = comment.at(row);
        return text !== null && pattern.test(text);
      });
    }
    case "flag":
      return term.flag === "error" ? new PlainTest((row) => table.isErrorAt(row)) : null;
    case "under":
      return underTestOf(table, term);
    case "text":
      return term.field === "word" ? new WordTest(table, term.text) : fieldTestOf(table, term.field, term.text);
  }
}

function fieldTestOf(
  table: ExchangeTable,
  field: Exclude<(Term & { kind: "text" })["field"], "word">,
  text: string,
): RowTest {
  const pattern = literal(text);
  const lower = text.toLowerCase();
  switch (field) {
    case "method":
      return told(table.texts, table.method, (method) => method.toLowerCase() === lower);
    case "host":
      return told(table.texts, table.origin, (origin) => pattern.test(hostOf(origin)));
    case "client":
      return new ClientTest(table, pattern);
    case "type":
      return told(table.texts, table.contentType, (type) => pattern.test(type));
    case "protocol":
      return told(table.texts, table.protocol, (name) => pattern.test(name) || pattern.test(protocolName(name)));
    case "endpoint":
      return told(table.endpoints, table.endpoint, (endpoint) => isNamed(endpoint, text));
  }
}

/** By the endpoint, whose path may stand for a group of them; case does not count in a host. */
function underTestOf(table: ExchangeTable, { host, path }: Term & { kind: "under" }): RowTest {
  return told(table.endpoints, table.endpoint, (endpoint) => isUnder(endpoint, host, path));
}

/** Whether a filter's text names that endpoint. It has lost its quotes, and a path that some client sent may have some. */
export function isNamed(endpoint: Endpoint, text: string): boolean {
  return endpoint === text || (endpoint.includes('"') && endpoint.replaceAll('"', "") === text);
}

/** Whether an endpoint is of that host and path, or lies below. */
export function isUnder(endpoint: Endpoint, host: string, path: string): boolean {
  const parts = partsOf(endpoint);
  return (host === "" || hostOf(parts.origin).toLowerCase() === host.toLowerCase()) && isWithin(parts.path, path);
}

/** A test of a text that repeats: each is looked at once. */
function told<Text extends string>(texts: Numbered<Text>, column: WholeColumn, test: (text: Text) => boolean): RowTest {
  return new TextTest(new TextCodes(texts, (text) => (test(text) ? YES : NO)), column);
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
