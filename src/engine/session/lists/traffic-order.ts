import type { Sort } from "../../messages/list-messages.ts";
import type { TrafficColumn } from "../../messages/traffic-messages.ts";
import { hostOf, partsOf } from "../../model/endpoint.ts";
import { overheadOf, type Phase } from "../../model/phases.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import type { Interned } from "../table/interned.ts";
import { TopK, windowByStart, windowOf } from "./sorted-window.ts";

/** A range that ends at this index or before is found in one pass over the rows. */
const FIRST_ROWS = 2_000;

/** Sorts the rows of a table by a column, but only the requested range. */
export class TrafficOrder {
  readonly #table: ExchangeTable;
  readonly #paths: TextOrder<ReturnType<ExchangeTable["endpointAt"]>>;
  readonly #hosts: TextOrder<string>;
  readonly #texts: TextOrder<string>;

  constructor(table: ExchangeTable) {
    this.#table = table;
    this.#paths = new TextOrder(table.endpoints, (endpoint) => partsOf(endpoint).path);
    this.#hosts = new TextOrder(table.texts, hostOf);
    this.#texts = new TextOrder(table.texts, (text) => text);
  }

  /** Whether the table's rows already have this order, or nearly have it. */
  #isOwn({ column }: Sort<TrafficColumn>): boolean {
    return column === "startTime" || (column === "id" && this.#table.idsInOrder);
  }

  /** As `window`, for rows that already have this order. */
  #stretch(rows: Uint32Array, { column, descending }: Sort<TrafficColumn>, from: number, count: number): Uint32Array {
    const to = Math.min(rows.length, from + count);
    const [begin, end] = descending ? [rows.length - to, Math.max(0, rows.length - from)] : [from, to];
    const window = column === "id" ? rows.slice(begin, end) : windowByStart(this.#table, rows, begin, end);
    return descending ? window.reverse() : window;
  }

  /**
   * The requested range of `rows` (ascending) after sorting. Rows with equal values keep their order, except that a
   * descending sort by start reverses it. Rows without a value come last.
   */
  window(rows: Uint32Array, sort: Sort<TrafficColumn>, from: number, count: number): Uint32Array {
    if (this.#isOwn(sort)) return this.#stretch(rows, sort, from, count);
    const { column, descending } = sort;
    const to = Math.min(rows.length, from + count);
    if (this.isFirst(sort, to)) return this.first(rows, sort, to).slice(from);
    const key = this.#keyOf(column);
    const sign = descending ? -1 : 1;
    const keys = new Float64Array(rows.length);
    for (let index = 0; index < rows.length; index += 1) keys[index] = sign * key(rows[index] as number);
    return Uint32Array.from(windowOf(rows, keys, { from, count }));
  }

  /** Whether `window` uses `first` for a range that ends at `to`. */
  isFirst(sort: Sort<TrafficColumn>, to: number): boolean {
    return !this.#isOwn(sort) && to <= FIRST_ROWS;
  }

  /** The first `count` rows, or all if there are fewer, in one pass. For a small `count`. */
  first(rows: Uint32Array, { column, descending }: Sort<TrafficColumn>, count: number): Uint32Array {
    const key = this.#keyOf(column);
    const sign = descending ? -1 : 1;
    const topRows = new TopK(count);
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as number;
      topRows.add(row, sign * key(row));
    }
    return topRows.rows(0);
  }

  /** Returns a function that compares two rows in this order: its result is below 0 if the first one comes first. */
  comparison(sort: Sort<TrafficColumn>): (row: number, other: number) => number {
    const sign = sort.descending ? -1 : 1;
    const key = this.#keyOf(sort.column);
    if (sort.column === "startTime") return (row, other) => sign * (key(row) - key(other) || row - other);
    const sortKey = (row: number): number => {
      const value = sign * key(row);
      return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
    };
    return (row, other) => {
      const [left, right] = [sortKey(row), sortKey(other)];
      return left === right ? row - other : Math.sign(left - right);
    };
  }

  #keyOf(column: TrafficColumn): (row: number) => number {
    const table = this.#table;
    const { ids, instants, status, encodedBodySize, requestBodySize } = table;
    const phase = (name: Exclude<Phase, "weir">) => () => (row: number) => table.phaseAt(row, name);
    const text = (texts: Pick<TextOrder<string>, "ranks">, numbers: { at(row: number): number }) => () =>
      ranked(texts.ranks(), numbers);
    const keys: Readonly<Record<TrafficColumn, () => (row: number) => number>> = {
      id: () => (row) => ids.at(row),
      startTime: () => (row) => instants.startAt(row),
      status: () => (row) => status.at(row) || Number.NaN,
      size: () => (row) => encodedBodySize.at(row),
      requestSize: () => (row) => requestBodySize.at(row),
      // Sorts by the value that the column shows.
      latency: () => (row) => table.durationAt(row),
      dns: phase("dns"),
      connect: phase("connect"),
      tls: phase("tls"),
      ttfb: phase("ttfb"),
      transfer: phase("transfer"),
      weir: () => (row) => overheadOf(instants.at(row), table.waitAt(row)) ?? Number.NaN,
      client: () => rankedAsShown(this.#texts.ranks(), table),
      method: text(this.#texts, table.method),
      protocol: text(this.#texts, table.protocol),
      server: text(this.#texts, table.server),
      type: text(this.#texts, table.contentType),
      host: text(this.#hosts, table.origin),
      path: text(this.#paths, table.endpoint),
    };
    return keys[column]();
  }
}

function ranked(ranks: Float64Array, column: { at(row: number): number }): (row: number) => number {
  return (row) => ranks[column.at(row)] as number;
}

/**
 * Ranks clients by the text shown: clients without a program's name come first, by their address; the others follow by
 * name.
 */
function rankedAsShown(ranks: Float64Array, { program, client }: ExchangeTable): (row: number) => number {
  return (row) => {
    const name = program.at(row);
    const before = name === 0 ? 0 : 1 + (ranks[name] as number);
    return before * ranks.length + (ranks[client.at(row)] as number);
  };
}

/**
 * The ranks of interned texts, or of a part of each text. They are computed again after texts were added; equal parts
 * have equal ranks.
 */
class TextOrder<Text extends string> {
  readonly #texts: Interned<Text>;
  readonly #partOf: (text: Text) => string;
  #parts: string[] = [""];
  readonly #order: number[] = [];
  #ranks = new Float64Array(1);

  constructor(texts: Interned<Text>, partOf: (text: Text) => string) {
    this.#texts = texts;
    this.#partOf = partOf;
  }

  /** The rank of each text in ascending order, by the text's number; NaN for number 0, which stands for `null`. */
  ranks(): Float64Array {
    if (this.#parts.length < this.#texts.size) this.#take();
    return this.#ranks;
  }

  #take(): void {
    for (let number = this.#parts.length; number < this.#texts.size; number += 1) {
      const text = this.#texts.textAt(number);
      this.#parts.push(text === null ? "" : this.#partOf(text));
      this.#order.push(number);
    }
    this.#order.sort((a, b) => this.#compare(a, b));
    this.#ranks = new Float64Array(this.#parts.length).fill(Number.NaN);
    let rank = 0;
    this.#order.forEach((number, index) => {
      const before = this.#order[index - 1];
      if (before !== undefined && this.#compare(before, number) !== 0) rank += 1;
      this.#ranks[number] = rank;
    });
  }

  #compare(a: number, b: number): number {
    const left = this.#parts[a] ?? "";
    const right = this.#parts[b] ?? "";
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }
}
