import type { Session } from "../session.ts";

/**
 * Caches a value for each endpoint, by the endpoint's number. A value is computed again only after its endpoint
 * changed, since a session can have hundreds of thousands of endpoints. Valid until endpoints get other numbers
 * (`Session.regroup`, `learn`).
 */
export class EndpointNumbers {
  readonly #session: Session;
  readonly #valueOf: (endpoint: number) => number;
  #values = new Float64Array(64);
  /** The endpoint's version at the last computation, plus one; 0 if never computed. */
  #seen = new Uint32Array(64);
  /** How far `advance` came. */
  #advanced = 0;

  constructor(session: Session, tell: (endpoint: number) => number) {
    this.#session = session;
    this.#valueOf = tell;
  }

  at(endpoint: number): number {
    if (endpoint >= this.#values.length) this.#grow();
    const version = this.#session.tallies.versionOf(endpoint) + 1;
    if (this.#seen[endpoint] !== version) {
      this.#values[endpoint] = this.#valueOf(endpoint);
      this.#seen[endpoint] = version;
    }
    return this.#values[endpoint] as number;
  }

  /**
   * Computes the values of the next `most` endpoints; returns `false` if there are more. Goes through all endpoints once,
   * so that `all` has few left to compute.
   */
  advance(most: number): boolean {
    const { last } = this.#session.tallies;
    const end = Math.min(last, this.#advanced + most);
    for (let endpoint = this.#advanced + 1; endpoint <= end; endpoint += 1) this.at(endpoint);
    this.#advanced = end;
    return end >= last;
  }

  /** The values of all endpoints. Index 0 is unused. Valid until the session changes. */
  all(): Float64Array {
    const { last } = this.#session.tallies;
    for (let endpoint = 1; endpoint <= last; endpoint += 1) this.at(endpoint);
    return this.#values.subarray(0, last + 1);
  }

  #grow(): void {
    const room = 2 * (this.#session.tallies.last + 1);
    const [values, seen] = [new Float64Array(room), new Uint32Array(room)];
    values.set(this.#values);
    seen.set(this.#seen);
    this.#values = values;
    this.#seen = seen;
  }
}
