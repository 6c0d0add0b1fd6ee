import { type Endpoint, hostOf, isWithin, operationIn, partsOf, pathOf } from "../../model/endpoint.ts";
import { protocolName, TAGS } from "../../model/exchange.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { markCodeOf, type RepeatingTextColumn, tagBits, type WholeColumn } from "../table/column.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import { type Literal, literal } from "./literal.ts";
import {
  codedPredicate,
  hasPair,
  longTargetPredicate,
  longTargetsOf,
  MATCH,
  matchCacheOf,
  type Numbered,
  type RowPredicate,
  rowPredicate,
  STATUSES,
  wordPredicate,
} from "./row-predicate.ts";
import { type Comparison, type Condition, conditionsOf, type Filter, type HeaderCondition, type Term } from "./term.ts";

/** A test whose result for a row may change although the row does not. */
type JudgedTest = (row: number, evaluator: InsightEvaluator) => boolean;

/**
 * Applies a filter to the rows of one table. `matches` tests values that no longer change once an exchange has ended;
 * `matchesNow` tests values that depend on statistics, findings and bodies. Results for repeated texts are cached by
 * the texts' numbers.
 */
export class Matcher {
  readonly #tests: readonly RowPredicate[];
  readonly #judged: readonly Term[];
  readonly #judgedTests: readonly JudgedTest[];
  readonly #conditions: readonly Condition[];
  readonly #table: ExchangeTable;

  constructor(table: ExchangeTable, filter: Filter) {
    this.#table = table;
    this.#conditions = filter.filter((term) => !isJudged(term)).flatMap(conditionsOf);
    const inOrder = filter.toSorted((a, b) => effortOf(table, a) - effortOf(table, b));
    this.#judged = filter.filter(isJudged);
    this.#judgedTests = this.#judged.map((term) => judgedTestOf(table, term));
    this.#tests = inOrder.filter((term) => !isJudged(term)).map((term) => predicateOf(table, term));
  }

  /** The terms of `matchesNow`. Without any, `matchesNow` is always true. */
  get judged(): readonly Term[] {
    return this.#judged;
  }

  /** Whether `matches` can be false for a row. */
  get filtersAnything(): boolean {
    return this.#tests.length > 0;
  }

  /** How many times as long as a test of one cached text `matches` takes for a row, at most. */
  get effort(): number {
    const { hasOthers } = this.#table.ownTargets;
    return this.#conditions.reduce((sum, condition) => sum + (isUncached(condition, hasOthers) ? UNCACHED : 1), 0);
  }

  matches(row: number): boolean {
    return this.#tests.every((test) => test.holds(row));
  }

  /** Applies `matches` to many rows: moves the matching rows to the front, in order, and returns their number. */
  retainMatches(rows: Uint32Array): number {
    return this.#tests.reduce((count, test) => test.retainMatches(rows, count), rows.length);
  }

  matchesNow(row: number, evaluator: InsightEvaluator): boolean {
    return this.#judgedTests.every((holds) => holds(row, evaluator));
  }
}

/** Whether the term depends on statistics, findings or bodies, and not only on the row's own values. */
export function isJudged(term: Term): boolean {
  return conditionsOf(term).some(
    (condition) =>
      condition.kind === "finding" ||
      condition.kind === "body" ||
      (condition.kind === "flag" && condition.flag !== "error"),
  );
}

function judgedTestOf(table: ExchangeTable, term: Term): JudgedTest {
  switch (term.kind) {
    case "not": {
      const excluded = judgedTestOf(table, term.of);
      return (row, evaluator) => !excluded(row, evaluator);
    }
    case "any":
    case "all": {
      const tests = term.of.map((one) => judgedTestOf(table, one));
      return term.kind === "any"
        ? (row, evaluator) => tests.some((test) => test(row, evaluator))
        : (row, evaluator) => tests.every((test) => test(row, evaluator));
    }
    case "finding":
      return (row, evaluator) => evaluator.isInFinding(row, term.finding);
    case "body":
      return (row, evaluator) => evaluator.hasInBody(row, term.text);
    case "flag":
      if (term.flag === "slow") return (row, evaluator) => evaluator.isSlow(row);
      if (term.flag === "oversized") return (row, evaluator) => evaluator.isOversized(row);
  }
  const own = predicateOf(table, term);
  return (row) => own.holds(row);
}

/**
 * The cost of a term; cheap terms run first. Terms about texts are the cheapest, since their results are cached for
 * each distinct text. Other terms come next. Plain text comes last if some rows have targets that are not cached.
 */
function effortOf({ ownTargets }: ExchangeTable, term: Term): number {
  if (term.kind === "text" && term.field === "word") return ownTargets.hasOthers ? 2 : 0;
  return ["text", "under", "status"].includes(term.kind) ? 0 : 1;
}

/** How much longer a test of a text that only its row has takes than that of a cached one. */
const UNCACHED = 16;

function isUncached(condition: Condition, hasOtherTargets: boolean): boolean {
  if (condition.kind === "header" || condition.kind === "comment") return true;
  const isOfTarget =
    condition.kind === "query" || (condition.kind === "text" && ["word", "path", "page"].includes(condition.field));
  return hasOtherTargets && isOfTarget;
}

/** The test of a term that is not judged. */
function predicateOf(table: ExchangeTable, term: Term): RowPredicate {
  switch (term.kind) {
    case "not": {
      const { holds } = predicateOf(table, term.of);
      return rowPredicate((row) => !holds(row));
    }
    case "any":
    case "all": {
      const tests = term.of.map((one) => predicateOf(table, one).holds);
      return rowPredicate(
        term.kind === "any" ? (row) => tests.some((holds) => holds(row)) : (row) => tests.every((holds) => holds(row)),
      );
    }
    case "finding":
    case "body":
      throw new Error("Neither a finding nor a body is a value of a row");
    case "header":
      return headerPredicateOf(table, term);
    case "query": {
      // A target with a query always differs from its endpoint's path.
      const others = targetPredicate(
        table,
        (target) => hasPair(target, term),
        () => false,
      );
      return withLongTargets(table, term, others);
    }
    case "status":
      return textPredicate(
        STATUSES,
        table.status,
        (status) => Number(status) >= term.least && Number(status) <= term.most,
      );
    case "duration":
      return rowPredicate((row) => compare(table.durationAt(row), term.comparison, term.limit));
    case "latency":
      return rowPredicate((row) => compare(table.latencyAt(row), term.comparison, term.limit));
    case "size":
      return rowPredicate((row) => compare(table.encodedBodySize.at(row), term.comparison, term.limit));
    case "connection": {
      const { connection } = table.kept;
      const code = connection.codeOf(term.connection);
      return rowPredicate((row) => connection.at(row) === code);
    }
    case "tag": {
      const bits = tagBits(TAGS.filter((tag) => tag === term.tag || tag.startsWith(`${term.tag}:`)));
      return rowPredicate((row) => (table.tags.at(row) & bits) !== 0);
    }
    case "mark": {
      const { mark } = table.annotations;
      if (term.mark === null) return rowPredicate((row) => mark.at(row) !== 0);
      const code = markCodeOf(term.mark);
      return rowPredicate((row) => mark.at(row) === code);
    }
    case "comment": {
      const pattern = literal(term.text);
      const { comment } = table.annotations;
      return rowPredicate((row) => {
        const text = comment.at(row);
        return text !== null && pattern.test(text);
      });
    }
    case "flag":
      return rowPredicate((row) => table.isErrorAt(row));
    case "under":
      return underPredicateOf(table, term);
    case "text":
      return withLongTargets(
        table,
        term,
        term.field === "word" ? wordPredicate(table, term.text) : fieldPredicateOf(table, term.field, term.text),
      );
  }
}

function withLongTargets(table: ExchangeTable, condition: Condition, others: RowPredicate): RowPredicate {
  const long = longTargetsOf(table, condition);
  const isOfStatus = condition.kind === "text" && condition.field === "word" && /^\d{1,3}$/.test(condition.text);
  return long === null ? others : longTargetPredicate(long, others, isOfStatus);
}

function fieldPredicateOf(
  table: ExchangeTable,
  field: Exclude<(Condition & { kind: "text" })["field"], "word">,
  text: string,
): RowPredicate {
  const pattern = literal(text);
  const lower = text.toLowerCase();
  switch (field) {
    case "method":
      return textPredicate(table.texts, table.method, (method) => method.toLowerCase() === lower);
    case "host":
      return textPredicate(table.texts, table.origin, (origin) => pattern.test(hostOf(origin)));
    case "path":
      return targetPredicate(
        table,
        (target) => pattern.test(pathOf(target)),
        (endpoint) => pattern.test(partsOf(endpoint).path),
      );
    case "client":
      return clientPredicateOf(table, pattern);
    case "type":
      return textPredicate(table.texts, table.contentType, (type) => pattern.test(type));
    case "protocol":
      return textPredicate(
        table.texts,
        table.protocol,
        (name) => pattern.test(name) || pattern.test(protocolName(name)),
      );
    case "page":
      return textsPredicate(
        table.page,
        (page) => pattern.test(page) || pattern.test(table.describedPages.get(page)?.title ?? ""),
      );
    case "op":
      return textPredicate(table.endpoints, table.endpoint, (endpoint) => isOperation(endpoint, pattern));
    case "endpoint":
      return textPredicate(table.endpoints, table.endpoint, (endpoint) => isNamed(endpoint, text));
  }
}

/** Matches a text in the name of the client's program, or in the client's address and User-Agent. */
function clientPredicateOf({ client, program, texts }: ExchangeTable, pattern: Literal): RowPredicate {
  const codes = matchCacheOf(texts, (text) => pattern.test(text));
  const isMatch = (column: WholeColumn, row: number) => codes.at(column.at(row)) === MATCH;
  return codedPredicate(
    [
      { numbers: client, codes },
      { numbers: program, codes },
    ],
    (row) => isMatch(client, row) || isMatch(program, row),
  );
}

/** Tests the endpoint, whose path may be a template. Hosts match in any letter case. */
function underPredicateOf(table: ExchangeTable, { host, path }: Condition & { kind: "under" }): RowPredicate {
  return textPredicate(table.endpoints, table.endpoint, (endpoint) => isUnder(endpoint, host, path));
}

/** Whether a filter's text names the endpoint. The text has lost its quotes, but a captured path may contain some. */
export function isNamed(endpoint: Endpoint, text: string): boolean {
  return endpoint === text || (endpoint.includes('"') && endpoint.replaceAll('"', "") === text);
}

/** Whether the name of the endpoint's operation matches. */
export function isOperation(endpoint: Endpoint, pattern: Literal): boolean {
  const operation = operationIn(endpoint);
  return operation !== null && pattern.test(operation);
}

/** Whether the endpoint has this host, and this path or one below it. */
export function isUnder(endpoint: Endpoint, host: string, path: string): boolean {
  const parts = partsOf(endpoint);
  return (host === "" || hostOf(parts.origin).toLowerCase() === host.toLowerCase()) && isWithin(parts.path, path);
}

function headerPredicateOf(table: ExchangeTable, { side, name, value }: HeaderCondition): RowPredicate {
  const { values } = table.headers.of(side, name);
  if (value === null) return rowPredicate((row) => values.at(row) !== null);
  const pattern = literal(value);
  return textsPredicate(values, (text) => pattern.test(text));
}

/** A test for a text that most rows lack; cached if several rows share the text. */
function textsPredicate(column: RepeatingTextColumn, test: (text: string) => boolean): RowPredicate {
  const inShared = matchCacheOf(column.texts, test);
  return rowPredicate((row) => {
    const number = column.numbers.at(row);
    if (number !== 0) return inShared.at(number) === MATCH;
    const own = column.at(row);
    return own !== null && test(own);
  });
}

/** Tests the row's own target if it has one, else the path of its endpoint. */
function targetPredicate(
  { ownTargets, endpoints, endpoint }: ExchangeTable,
  testTarget: (target: string) => boolean,
  testEndpoint: (endpoint: Endpoint) => boolean,
): RowPredicate {
  const inTarget = matchCacheOf(ownTargets.texts, testTarget);
  const inEndpoint = matchCacheOf(endpoints, testEndpoint);
  return rowPredicate((row) => {
    const number = ownTargets.numbers.at(row);
    if (number !== 0) return inTarget.at(number) === MATCH;
    const target = ownTargets.at(row);
    return target === null ? inEndpoint.at(endpoint.at(row)) === MATCH : testTarget(target);
  });
}

/** A cached test of a repeated text. */
function textPredicate<Text extends string>(
  texts: Numbered<Text>,
  column: WholeColumn,
  test: (text: Text) => boolean,
): RowPredicate {
  const codes = matchCacheOf(texts, test);
  return codedPredicate([{ numbers: column, codes }], (row) => codes.at(column.at(row)) === MATCH);
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
