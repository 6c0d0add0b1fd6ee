import type { Endpoint } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Bytes } from "../model/units.ts";
import { EndpointTally } from "../stats/endpoint-tally.ts";
import { WholeColumn } from "./column.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import type { Interned } from "./interned.ts";

/** Of an endpoint that is known no longer. */
const GONE = new EndpointTally("" as Endpoint);

/** Of all of which nothing was counted yet. */
const NONE = new EndpointTally("" as Endpoint);

/** Our choice: so many endpoints without a row are known although no exchange of them is in the list any more, some 50 MB. */
export const MOST_UNLISTED = 100_000;

/**
 * What is counted of each endpoint, by its number; and which of them have changed, told without a look at each. Paths that hold
 * an id would fill the memory: what is counted of a single exchange is told from its row, and of endpoints that have too few
 * requests for a row, and no exchange in the list any more, only the latest are known.
 */
export class EndpointTallies {
  readonly #table: ExchangeTable;
  readonly #endpoints: Interned<Endpoint>;
  /** `null`: there was one request, its row is in the list, and says all that is counted. */
  readonly #all: (EndpointTally | null)[] = [];
  /** That row. */
  readonly #only = new WholeColumn();
  readonly #versions = new WholeColumn();
  /** Exchanges of each that are in the list, or stand (`standing.ts`). */
  readonly #holds = new WholeColumn();
  readonly #mostUnlisted: number;
  /** The numbers of those that nothing holds and that have no row, the oldest first. */
  readonly #unlisted = new Set<number>();
  /** Goes on where it stood: from the beginning each would be found behind all that have gone. */
  readonly #oldest = this.#unlisted.values();
  #gone = 0;
  /** Not while endpoints are being told anew from these. */
  mayForget = true;

  /** `endpoints` gives the numbers: the table's own, or those that it is to have. */
  constructor(table: ExchangeTable, endpoints: Interned<Endpoint>, mostUnlisted: number) {
    this.#table = table;
    this.#endpoints = endpoints;
    this.#mostUnlisted = mostUnlisted;
  }

  /** The beginning of tallies by other numbers. */
  under(endpoints: Interned<Endpoint>): EndpointTallies {
    return new EndpointTallies(this.#table, endpoints, this.#mostUnlisted);
  }

  /** Of that number the same is counted as `others` count of `other`: to be told whenever that has changed. */
  share(number: number, others: EndpointTallies, other: number): void {
    this.#all[number - 1] = others.#all[other - 1] ?? null;
    this.#only.put(number, others.#only.at(other));
  }

  /** The highest number so far. */
  get last(): number {
    return this.#all.length;
  }

  /** Of all that have a row, in the order of their numbers. */
  withRow(): readonly EndpointTally[] {
    return this.#all.filter((tally) => tally?.hasRow === true) as EndpointTally[];
  }

  /** Whether most numbers stand for no endpoint any more, which costs memory and time wherever endpoints are looked through. */
  get isSparse(): boolean {
    return this.#gone > this.#mostUnlisted && this.#gone > this.#all.length / 2;
  }

  /** `null`: no endpoint has that number. It may be made for who asks, and what is known no longer has no requests. */
  at(number: number): EndpointTally | null {
    const tally = this.#all[number - 1];
    if (tally === undefined) return null;
    return tally === null || tally === NONE ? this.#toldFromRow(number) : tally;
  }

  /** If it has a row, else one of nothing: far quicker. */
  atWithRow(number: number): EndpointTally {
    const tally = this.#all[number - 1] ?? null;
    return tally?.hasRow === true ? tally : NONE;
  }

  requestsAt(number: number): number {
    const tally = this.#all[number - 1];
    return tally === null ? 1 : (tally?.requests ?? 0);
  }

  /** To be changed. Numbers come in their order. */
  change(number: number): EndpointTally {
    this.#changed(number);
    return this.#kept(number);
  }

  /** The size of a counted body became known, and stands in its row. */
  decode(number: number, exchange: Exchange, size: Bytes): void {
    if (this.#all[number - 1] === null) this.#changed(number);
    else this.change(number).recordDecoded(exchange, size);
  }

  /** An exchange of it that counts has ended, in that row if it is in the list. `isBegun`: its request was counted before. */
  end(number: number, exchange: Exchange, row: number | null, isBegun: boolean): void {
    if (row !== null && !isBegun && this.#all[number - 1] === NONE) {
      this.#changed(number);
      this.#leaveTo(number, row);
      return;
    }
    const tally = this.change(number);
    if (!isBegun) tally.begin(exchange.protocol);
    tally.end(exchange);
    if (row !== null) this.rest(number, row);
  }

  /** Its exchange of that row may be the only one, and has ended. */
  rest(number: number, row: number): void {
    if (this.#all[number - 1]?.requests === 1 && this.#table.countsAt(row)) this.#leaveTo(number, row);
  }

  /** Grows with each change of what is counted, or of which samples are still in the list. */
  versionOf(number: number): number {
    return this.#versions.at(number);
  }

  /** The next number, of which nothing was counted yet. */
  add(): void {
    this.#all.push(NONE);
  }

  /** An exchange of it is in the list, or stands. */
  hold(number: number): void {
    if (number > this.#all.length) this.add();
    const holds = this.#holds.at(number);
    if (holds === 0) this.#unlisted.delete(number);
    this.#holds.put(number, holds + 1);
  }

  /** No longer. */
  letGo(number: number): void {
    this.#holds.put(number, this.#holds.at(number) - 1);
    this.settle(number);
  }

  /** It may go if nothing holds it, and it has no row. */
  settle(number: number): void {
    if (this.#holds.at(number) > 0 || this.#all[number - 1]?.hasRow === true) return;
    this.#unlisted.add(number);
    while (this.mayForget && this.#unlisted.size > this.#mostUnlisted)
      this.#forget(this.#oldest.next().value as number);
  }

  #forget(number: number): void {
    this.#unlisted.delete(number);
    // It may have got a row since, by an exchange that ended after it had left the list.
    if (this.#all[number - 1]?.hasRow === true) return;
    this.#changed(number);
    this.#all[number - 1] = GONE;
    this.#endpoints.forget(number);
    this.#gone += 1;
  }

  #leaveTo(number: number, row: number): void {
    this.#all[number - 1] = null;
    this.#only.put(number, row);
  }

  #changed(number: number): void {
    this.#versions.put(number, this.#versions.at(number) + 1);
  }

  #kept(number: number): EndpointTally {
    const tally = this.at(number) ?? this.#toldFromRow(number);
    this.#all[number - 1] = tally;
    return tally;
  }

  /** What its row says, if one alone does; else it counts nothing yet. */
  #toldFromRow(number: number): EndpointTally {
    // The table's own text, so that each is in memory once.
    const tally = new EndpointTally(this.#endpoints.textAt(number) as Endpoint);
    if (this.#all[number - 1] === null) tally.record(this.#table.exchangeAt(this.#only.at(number)));
    return tally;
  }
}
