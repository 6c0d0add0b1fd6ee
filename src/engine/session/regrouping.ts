import { PLACEHOLDER } from "../insights/path-template.ts";
import { timedLatencyOf } from "../model/duration.ts";
import { type Endpoint, endpointOf } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import { EndpointTally } from "../stats/endpoint-tally.ts";
import { WholeColumn } from "./column.ts";
import type { EndpointColumns } from "./exchange-columns.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { Interned } from "./interned.ts";
import { RepeatingTextColumn } from "./repeating-text-column.ts";

/**
 * The endpoints of all rows told anew, with their figures, beside those that hold: a part of the rows at a time, while the
 * session goes on. Where nothing but their numbers is to change, all figures are kept. What of a row was counted before it is passed is found in the table; what comes after is told to `record`.
 *
 *   0 … passed, told and counted here … │ next … still only in the table … │ nextRow
 */
export class Regrouping implements EndpointColumns {
  readonly endpoints = new Interned<Endpoint>();
  readonly endpoint = new WholeColumn();
  readonly target = new RepeatingTextColumn();
  /** By the endpoint's number less one. */
  readonly tallies: EndpointTally[] = [];
  readonly #table: ExchangeTable;
  readonly #keyOf: (literal: Endpoint) => Endpoint;
  readonly #isChange: boolean;
  readonly #before: ReadonlyMap<Endpoint, EndpointTally>;
  /** By the old endpoint's number: its new key; `null`: it stands for several. */
  readonly #keys: (Endpoint | null | undefined)[] = [];
  #next: number;
  /** Old endpoints that were not looked at for themselves. */
  readonly #left: MapIterator<Endpoint>;

  /** `keyOf` gives the new endpoint of a literal one; `tallies`: of the old endpoints; `isChange`: others may be meant by it now. */
  constructor(
    table: ExchangeTable,
    keyOf: (literal: Endpoint) => Endpoint,
    tallies: readonly EndpointTally[],
    isChange: boolean,
  ) {
    this.#table = table;
    this.#keyOf = keyOf;
    this.#isChange = isChange;
    this.#before = new Map(tallies.map((tally) => [tally.endpoint, tally]));
    this.#next = table.firstRow;
    this.#left = this.#before.keys();
  }

  /** Passes so many rows at most, then so many endpoints; `false` while there are more. */
  advance(most: number): boolean {
    const table = this.#table;
    this.#next = Math.max(this.#next, table.firstRow);
    const end = Math.min(table.nextRow, this.#next + most);
    for (; this.#next < end; this.#next += 1) {
      const tally = this.#pass(this.#next);
      if (this.#isKept(tally) || !table.countsAt(this.#next)) continue;
      tally.record(table.exchangeAt(this.#next));
    }
    return end === table.nextRow && this.#keepUntouched(most);
  }

  /** What is the same endpoint before and after, though none of its rows may be left to say so; `false` while there are more. */
  #keepUntouched(most: number): boolean {
    if (this.#table.firstRow === 0) return true;
    for (let looked = 0; looked < most; looked += 1) {
      const { done, value: endpoint } = this.#left.next();
      if (done === true) return true;
      if (!this.#isNew(endpoint) && this.#keyOf(endpoint) === endpoint) this.#tallyOf(endpoint);
    }
    return false;
  }

  /** All is passed, and a request of a literal endpoint has been counted that has not ended. */
  begin(literal: Endpoint, protocol: string): void {
    const tally = this.#tallyOf(this.#keyOf(literal));
    if (!this.#isKept(tally)) tally.begin(protocol);
  }

  /** An exchange that counts has ended. */
  record(exchange: Exchange): void {
    this.#passedTallyOf(exchange)?.record(exchange);
  }

  /** An exchange that has ended is no longer in the list, or is about to leave it. */
  forget(exchange: Exchange): void {
    this.#passedTallyOf(exchange)?.forget(exchange.id, timedLatencyOf(exchange));
  }

  /** The size of a counted body became known. */
  recordDecoded(exchange: Exchange, size: number): void {
    this.#passedTallyOf(exchange)?.recordDecoded(exchange, size);
  }

  /** `null`: it is still to be passed, or counts in a tally that is kept and was told already. */
  #passedTallyOf({ id, method, origin, target }: Exchange): EndpointTally | null {
    const row = this.#table.rowOf(id);
    if (row !== null && row >= this.#next) return null;
    const tally = this.#tallyOf(this.#keyOf(endpointOf(method, origin, target)));
    return this.#isKept(tally) ? null : tally;
  }

  /** Only what is a template now, or was part of one, has other figures than before. */
  #isKept(tally: EndpointTally): boolean {
    return this.#before.get(tally.endpoint) === tally;
  }

  /** Tells a row's endpoint; most rows are as the others of their old one. */
  #pass(row: number): EndpointTally {
    const table = this.#table;
    const old = table.endpoint.at(row);
    const literal = table.endpoints.textAt(old) as Endpoint;
    let key = this.#keys[old];
    if (key === undefined) {
      key = isTemplate(literal) ? null : this.#keyOf(literal);
      this.#keys[old] = key;
    }
    const own = table.ownTargets.at(row);
    if (key === literal) {
      this.target.put(row, own);
      return this.#put(row, key);
    }
    const method = table.texts.textAt(table.method.at(row)) ?? "";
    const origin = table.texts.textAt(table.origin.at(row)) ?? "";
    const target = own ?? literal.slice(method.length + 1 + origin.length);
    const found = key ?? this.#keyOf(endpointOf(method, origin, target));
    this.target.put(row, target === found.slice(method.length + 1 + origin.length) ? null : target);
    return this.#put(row, found);
  }

  /** Whether its figures are to be counted anew. */
  #isNew(key: Endpoint): boolean {
    return this.#isChange && isTemplate(key);
  }

  #put(row: number, key: Endpoint): EndpointTally {
    this.endpoint.put(row, this.endpoints.numberOf(key));
    return this.#tallyOf(key);
  }

  #tallyOf(key: Endpoint): EndpointTally {
    const number = this.endpoints.numberOf(key);
    if (number > this.tallies.length) {
      const kept = this.#isNew(key) ? undefined : this.#before.get(key);
      this.tallies.push(kept ?? new EndpointTally(this.endpoints.textAt(number) as Endpoint));
    }
    return this.tallies[number - 1] as EndpointTally;
  }
}

function isTemplate(endpoint: Endpoint): boolean {
  return endpoint.includes(`/${PLACEHOLDER}`);
}
