import { PLACEHOLDER } from "../insights/path-template.ts";
import { timedLatencyOf } from "../model/duration.ts";
import { type Endpoint, endpointOf } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Bytes } from "../model/units.ts";
import { WholeColumn } from "./column.ts";
import type { EndpointTallies } from "./endpoint-tallies.ts";
import type { EndpointColumns } from "./exchange-columns.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import { Interned } from "./interned.ts";
import { RepeatingTextColumn } from "./repeating-text-column.ts";

/**
 * The endpoints of all rows told anew, with their figures, beside those that hold: a part of the rows at a time, while the
 * session goes on. Where nothing but their numbers is to change, all figures are kept. What of a row was counted before it is
 * passed is found in the table; what comes after is told here. `row` is `null` where an exchange has left the list.
 *
 *   0 … passed, told and counted here … │ next … still only in the table … │ nextRow
 */
export class Regrouping implements EndpointColumns {
  readonly endpoints = new Interned<Endpoint>();
  readonly endpoint = new WholeColumn();
  readonly target = new RepeatingTextColumn();
  readonly tallies: EndpointTallies;
  /** By the endpoint's number: the old number, if what was counted of it before is kept; 0: it is counted anew. */
  readonly #kept = new WholeColumn();
  readonly #talliesBefore: EndpointTallies;
  readonly #table: ExchangeTable;
  readonly #keyOf: (literal: Endpoint) => Endpoint;
  readonly #isChange: boolean;
  readonly #before: Interned<Endpoint>;
  /** By the old endpoint's number: its new key; `null`: it stands for several. */
  readonly #keys: (Endpoint | null | undefined)[] = [];
  #next: number;
  /** The number of the old endpoint that is looked at next for itself. */
  #nextOld = 1;

  /** `keyOf` gives the new endpoint of a literal one; `isChange`: others may be meant by it now. Until it holds none of `tallies` may be forgotten. */
  constructor(
    table: ExchangeTable,
    tallies: EndpointTallies,
    keyOf: (literal: Endpoint) => Endpoint,
    isChange: boolean,
  ) {
    this.#table = table;
    this.#talliesBefore = tallies;
    this.#keyOf = keyOf;
    this.#isChange = isChange;
    this.tallies = tallies.under(this.endpoints);
    this.#before = table.endpoints;
    this.#next = table.firstRow;
  }

  /** Passes so many rows at most, then so many endpoints; `false` while there are more. */
  advance(most: number): boolean {
    const table = this.#table;
    this.#next = Math.max(this.#next, table.firstRow);
    const end = Math.min(table.nextRow, this.#next + most);
    for (; this.#next < end; this.#next += 1) this.#pass(this.#next);
    return end === table.nextRow && this.#keepUntouched(most);
  }

  /** What is the same endpoint before and after, though none of its rows may be left to say so; `false` while there are more. */
  #keepUntouched(most: number): boolean {
    if (this.#table.firstRow === 0) return true;
    const end = Math.min(this.#before.size, this.#nextOld + most);
    for (; this.#nextOld < end; this.#nextOld += 1) {
      const endpoint = this.#before.textAt(this.#nextOld);
      if (endpoint === null || this.#isNew(endpoint) || this.#keyOf(endpoint) !== endpoint) continue;
      this.tallies.settle(this.#numberOf(endpoint));
    }
    return end === this.#before.size;
  }

  /** All is passed, and a request of a literal endpoint has been counted that has not ended. */
  stand(literal: Endpoint, protocol: string): void {
    const number = this.#numberOf(this.#keyOf(literal));
    this.tallies.hold(number);
    if (this.#kept.at(number) === 0) this.tallies.change(number).begin(protocol);
  }

  /** A request has been counted that has not ended; `stand` tells of it again. */
  begin(exchange: Exchange): void {
    this.#share(this.endpoints.find(this.#newKeyOf(exchange)));
  }

  /** An exchange that counts has ended. */
  end(exchange: Exchange, row: number | null): void {
    this.#change(exchange, row, (number) => this.tallies.end(number, exchange, row, false));
  }

  /** An exchange that has ended is no longer in the list, or is about to leave it. */
  forget(exchange: Exchange, row: number | null): void {
    this.#change(exchange, row, (number) => {
      this.tallies.change(number).forget(exchange.id, timedLatencyOf(exchange));
    });
  }

  /** The size of a counted body became known. */
  decode(exchange: Exchange, size: Bytes, row: number): void {
    this.#change(exchange, row, (number) => this.tallies.decode(number, exchange, size));
  }

  /** A row is about to leave the list. */
  letGo(row: number): void {
    if (row < this.#next) this.tallies.letGo(this.endpoint.at(row));
  }

  /** A change of what is counted anew, if it is not still to be passed. */
  #change(exchange: Exchange, row: number | null, change: (number: number) => void): void {
    const key = this.#newKeyOf(exchange);
    const isPassed = row === null || row < this.#next;
    const number = isPassed ? this.#numberOf(key) : this.endpoints.find(key);
    if (!this.#share(number) && isPassed) change(number);
    if (row === null) this.tallies.settle(number);
  }

  #newKeyOf({ method, origin, target }: Exchange): Endpoint {
    return this.#keyOf(endpointOf(method, origin, target));
  }

  /** Whether what was counted of it before is kept: then it is what the old endpoint counts now. */
  #share(number: number): boolean {
    const old = this.#kept.at(number);
    if (old === 0) return false;
    this.tallies.share(number, this.#talliesBefore, old);
    return true;
  }

  #pass(row: number): void {
    const key = this.#tell(row);
    const number = this.#numberOf(key);
    this.endpoint.put(row, number);
    this.tallies.hold(number);
    if (this.#kept.at(number) > 0 || !this.#table.countsAt(row)) return;
    this.tallies.end(number, this.#table.exchangeAt(row), row, false);
  }

  /** A row's endpoint; most rows are as the others of their old one. */
  #tell(row: number): Endpoint {
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
      return key;
    }
    const method = table.texts.textAt(table.method.at(row)) ?? "";
    const origin = table.texts.textAt(table.origin.at(row)) ?? "";
    const target = own ?? literal.slice(method.length + 1 + origin.length);
    const found = key ?? this.#keyOf(endpointOf(method, origin, target));
    this.target.put(row, target === found.slice(method.length + 1 + origin.length) ? null : target);
    return found;
  }

  /** Whether its figures are to be counted anew. */
  #isNew(key: Endpoint): boolean {
    return this.#isChange && isTemplate(key);
  }

  /** Only what is a template now, or was part of one, has other figures than before. */
  #numberOf(key: Endpoint): number {
    const number = this.endpoints.numberOf(key);
    if (number <= this.tallies.last) return number;
    this.#kept.put(number, this.#isNew(key) ? 0 : this.#before.find(key));
    if (!this.#share(number)) this.tallies.add();
    return number;
  }
}

function isTemplate(endpoint: Endpoint): boolean {
  return endpoint.includes(`/${PLACEHOLDER}`);
}
