import type { PathTemplates } from "../../insights/path-templates.ts";
import { type Endpoint, endpointAt, partsOf } from "../../model/endpoint.ts";
import { MOST_OPERATIONS, POOLED_OPERATION } from "../../model/operation.ts";
import { EndpointTally } from "../../stats/endpoint-tally.ts";
import { WholeColumn } from "../table/column.ts";
import type { EndpointNames } from "../table/interned.ts";

/** Stands for the tally of an endpoint with fewer than `MINIMUM_REQUESTS` requests. */
const NONE = new EndpointTally("" as Endpoint);

/**
 * The tallies by the endpoint's number, each with a version, so that readers find changes quickly. Number 0 is for
 * requests to endpoints without a number, and has no tally.
 */
export class EndpointTallies {
  readonly #endpoints: EndpointNames;
  /** By the endpoint's number minus 1. An endpoint without counted requests may have no tally. */
  readonly #all: (EndpointTally | undefined)[] = [];
  readonly #versions = new WholeColumn();

  constructor(endpoints: EndpointNames) {
    this.#endpoints = endpoints;
  }

  /** The highest number of an endpoint so far. */
  get last(): number {
    return this.#endpoints.size - 1;
  }

  /** The tallies of all endpoints with at least `MINIMUM_REQUESTS` requests, in the order of the endpoints' numbers. */
  withRow(): readonly EndpointTally[] {
    return this.#all.filter((tally) => tally?.hasRow === true) as EndpointTally[];
  }

  /** The tallies of all endpoints with at least one counted request, in the order of the endpoints' numbers. */
  counted(): readonly EndpointTally[] {
    return this.#all.filter((tally) => tally !== undefined && tally.requests > 0) as EndpointTally[];
  }

  /** The tally; `null` if there is no endpoint with this number. */
  at(number: number): EndpointTally | null {
    if (number === 0 || number > this.last) return null;
    const tally = this.#all[number - 1] ?? new EndpointTally(this.#endpoints.textAt(number) as Endpoint);
    this.#all[number - 1] = tally;
    return tally;
  }

  /** The tally if the endpoint has at least `MINIMUM_REQUESTS` requests; else an empty tally. */
  atWithRow(number: number): EndpointTally {
    const tally = this.#all[number - 1];
    return tally?.hasRow === true ? tally : NONE;
  }

  requestsAt(number: number): number {
    return this.#all[number - 1]?.requests ?? 0;
  }

  /** Increases with each change of the tally, or of its samples in the table. */
  versionOf(number: number): number {
    return this.#versions.at(number);
  }

  /** The tally, which the caller changes now; `null` as in `at`. */
  changed(number: number): EndpointTally | null {
    this.#versions.put(number, this.#versions.at(number) + 1);
    return this.at(number);
  }

  /**
   * Adds the counts of `tally`. If the endpoint has no tally and `tally` is of the same endpoint, stores `tally`
   * itself.
   */
  absorb(number: number, tally: EndpointTally): void {
    if (this.#all[number - 1] === undefined && tally.endpoint === this.#endpoints.textAt(number)) {
      this.#all[number - 1] = tally;
    } else this.changed(number)?.absorb(tally);
  }
}

/** The most endpoints whose key is cached. After that, the cache is emptied. */
const MOST_CACHED = 10_000;

/**
 * The key under which an endpoint is counted: the template of its path, and its operation. If a template has too many
 * operations, all further ones share a key.
 */
export class EndpointKeys {
  /** `null` if every path is shown by itself. */
  readonly templates: PathTemplates | null;
  readonly #cache = new Map<Endpoint, Endpoint>();
  /** The operations of each key, by the key without its operation. */
  readonly #operations: Map<Endpoint, Set<string>>;

  /** `before`: the previous keys; their operations are kept. */
  constructor(templates: PathTemplates | null, before: EndpointKeys | null = null) {
    this.templates = templates;
    this.#operations = before === null ? new Map() : before.#operations;
  }

  /** Whether an endpoint has too many operations to count each of them by itself. */
  get poolsOperations(): boolean {
    return [...this.#operations.values()].some(({ size }) => size > MOST_OPERATIONS);
  }

  of(literal: Endpoint): Endpoint {
    const known = this.#cache.get(literal);
    if (known !== undefined) return known;
    const key = this.#find(literal);
    if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
    this.#cache.set(literal, key);
    return key;
  }

  /** Empties the cache. Must be called after the templates changed. */
  changed(): void {
    this.#cache.clear();
  }

  #find(literal: Endpoint): Endpoint {
    const { method, origin, path, operation } = partsOf(literal);
    const template = this.templates?.templateOf(origin, path) ?? path;
    if (operation === null) return template === path ? literal : endpointAt(method, origin, template, null);
    return endpointAt(method, origin, template, this.#listed(endpointAt(method, origin, template, null), operation));
  }

  #listed(endpoint: Endpoint, operation: string): string {
    const known = this.#operations.get(endpoint) ?? new Set();
    this.#operations.set(endpoint, known);
    if (known.size < MOST_OPERATIONS || known.has(operation)) known.add(operation);
    else if (operation !== POOLED_OPERATION) known.add(POOLED_OPERATION);
    return known.has(operation) ? operation : POOLED_OPERATION;
  }
}
