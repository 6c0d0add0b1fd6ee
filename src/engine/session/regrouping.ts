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
  /** By the endpoint's number less one; `null`: what was counted of it before is kept. */
  readonly tallies: (EndpointTally | null)[] = [];
  readonly #table: ExchangeTable;
  readonly #keyOf: (literal: Endpoint) => Endpoint;
  readonly #isChange: boolean;
  readonly #before: Interned<Endpoint>;
  /** By the old endpoint's number: its new key; `null`: it stands for several. */
  readonly #keys: (Endpoint | null | undefined)[] = [];
  #next: number;
  /** The number of the old endpoint that is looked at next for itself. */
  #nextOld = 1;

  /** `keyOf` gives the new endpoint of a literal one; `isChange`: others may be meant by it now. Until all is passed none may be forgotten. */
  constructor(table: ExchangeTable, keyOf: (literal: Endpoint) => Endpoint, isChange: boolean) {
    this.#table = table;
    this.#keyOf = keyOf;
    this.#isChange = isChange;
    this.#before = table.endpoints;
    this.#next = table.firstRow;
  }

  /** Passes so many rows at most, then so many endpoints; `false` while there are more. */
  advance(most: number): boolean {
    const table = this.#table;
    this.#next = Math.max(this.#next, table.firstRow);
    const end = Math.min(table.nextRow, this.#next + most);
    for (; this.#next < end; this.#next += 1) {
      const tally = this.#pass(this.#next);
      if (tally !== null && table.countsAt(this.#next)) tally.record(table.exchangeAt(this.#next));
    }
    return end === table.nextRow && this.#keepUntouched(most);
  }

  /** What is the same endpoint before and after, though none of its rows may be left to say so; `false` while there are more. */
  #keepUntouched(most: number): boolean {
    if (this.#table.firstRow === 0) return true;
    const end = Math.min(this.#before.size, this.#nextOld + most);
    for (; this.#nextOld < end; this.#nextOld += 1) {
      const endpoint = this.#before.textAt(this.#nextOld);
      if (endpoint !== null && !this.#isNew(endpoint) && this.#keyOf(endpoint) === endpoint) this.#tallyOf(endpoint);
    }
    return end === this.#before.size;
  }

  /** All is passed, and a request of a literal endpoint has been counted that has not ended. */
  begin(literal: Endpoint, protocol: string): void {
    this.#tallyOf(this.#keyOf(literal))?.begin(protocol);
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
    return this.#tallyOf(this.#keyOf(endpointOf(method, origin, target)));
  }

  /** Tells a row's endpoint; most rows are as the others of their old one. */
  #pass(row: number): EndpointTally | null {
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

  #put(row: number, key: Endpoint): EndpointTally | null {
    this.endpoint.put(row, this.endpoints.numberOf(key));
    return this.#tallyOf(key);
  }

  /** `null` if it is kept: only what is a template now, or was part of one, has other figures than before. */
  #tallyOf(key: Endpoint): EndpointTally | null {
    const number = this.endpoints.numberOf(key);
    if (number > this.tallies.length) {
      const isKept = !this.#isNew(key) && this.#before.find(key) > 0;
      this.tallies.push(isKept ? null : new EndpointTally(this.endpoints.textAt(number) as Endpoint));
    }
    return this.tallies[number - 1] ?? null;
  }
}

function isTemplate(endpoint: Endpoint): boolean {
  return endpoint.includes(`/${PLACEHOLDER}`);
}
