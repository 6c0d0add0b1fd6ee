import type { Endpoint } from "../model/endpoint.ts";
import { EndpointTally } from "../stats/endpoint-tally.ts";
import { WholeColumn } from "./column.ts";
import type { Interned } from "./interned.ts";

/** What is counted of each endpoint, by its number; and which of them have changed, told without a look at each. */
export class EndpointTallies {
  readonly #endpoints: Interned<Endpoint>;
  readonly #all: EndpointTally[];
  readonly #versions = new WholeColumn();

  /** `all`: of the first endpoints, by their number less one. */
  constructor(endpoints: Interned<Endpoint>, all: EndpointTally[] = []) {
    this.#endpoints = endpoints;
    this.#all = all;
  }

  /** By the endpoint's number less one. */
  get all(): readonly EndpointTally[] {
    return this.#all;
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
}
