import type { Endpoint } from "../model/endpoint.ts";
import { EndpointTally } from "../stats/endpoint-tally.ts";
import { WholeColumn } from "./column.ts";
import type { Interned } from "./interned.ts";

/** Of an endpoint that is known no longer. */
const GONE = new EndpointTally("" as Endpoint);

/** Our choice: so many endpoints without a row are known although no exchange of them is in the list any more, some 50 MB. */
export const MOST_UNLISTED = 100_000;

/**
 * What is counted of each endpoint, by its number; and which of them have changed, told without a look at each. Of those that
 * have too few requests for a row, and no exchange in the list any more, only the latest are known: paths that hold an id would
 * fill the memory.
 */
export class EndpointTallies {
  readonly #endpoints: Interned<Endpoint>;
  readonly #all: EndpointTally[];
  readonly #versions = new WholeColumn();
  /** Exchanges of each that are in the list, or stand (`standing.ts`). */
  readonly #holds = new WholeColumn();
  readonly #mostUnlisted: number;
  /** The numbers of those that nothing holds and that have no row, the oldest first. */
  readonly #unlisted = new Set<number>();
  /** Goes on where it stood: from the beginning each would be found behind all that have gone. */
  readonly #oldest = this.#unlisted.values();
  #gone = 0;
  /** Not while somebody takes over from these. */
  mayForget = true;

  /** `all`: of the first endpoints, by their number less one. */
  constructor(endpoints: Interned<Endpoint>, mostUnlisted: number, all: EndpointTally[] = []) {
    this.#endpoints = endpoints;
    this.#mostUnlisted = mostUnlisted;
    this.#all = all;
  }

  /** By the endpoint's number less one; what is known no longer has no requests. */
  get all(): readonly EndpointTally[] {
    return this.#all;
  }

  known(): readonly EndpointTally[] {
    return this.#all.filter((tally) => tally !== GONE);
  }

  /** Whether most numbers stand for no endpoint any more, which costs memory and time wherever endpoints are looked through. */
  get isSparse(): boolean {
    return this.#gone > this.#mostUnlisted && this.#gone > this.#all.length / 2;
  }

  /** Of an endpoint that has been seen. Numbers come in their order. */
  at(number: number): EndpointTally {
    // The table's own text, so that each is in memory once.
    if (number > this.#all.length) this.#all.push(new EndpointTally(this.#endpoints.textAt(number) as Endpoint));
    return this.#all[number - 1] as EndpointTally;
  }

  /** The same, to be changed. */
  change(number: number): EndpointTally {
    this.#versions.put(number, this.#versions.at(number) + 1);
    return this.at(number);
  }

  /** Grows with each change of what is counted, or of which samples are still in the list. */
  versionOf(number: number): number {
    return this.#versions.at(number);
  }

  /** An exchange of it is in the list, or stands. */
  hold(number: number): void {
    this.at(number);
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
    if (this.#holds.at(number) > 0 || this.at(number).hasRow) return;
    this.#unlisted.add(number);
    while (this.mayForget && this.#unlisted.size > this.#mostUnlisted)
      this.#forget(this.#oldest.next().value as number);
  }

  #forget(number: number): void {
    this.#unlisted.delete(number);
    // It may have got a row since, by an exchange that ended after it had left the list.
    if (this.at(number).hasRow) return;
    this.change(number);
    this.#all[number - 1] = GONE;
    this.#endpoints.forget(number);
    this.#gone += 1;
  }
}
