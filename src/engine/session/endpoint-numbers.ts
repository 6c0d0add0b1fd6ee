import type { Session } from "./session.ts";

/**
 * A number that is told of each endpoint, by the endpoint's number, and told anew only once the endpoint has changed: paths
 * that hold an id make endpoints by the hundred thousand. Good while the session counts the same endpoints.
 */
export class EndpointNumbers {
  readonly #session: Session;
  readonly #tell: (endpoint: number) => number;
  #values = new Float64Array(64);
  /** One more than the endpoint's version when its number was told; 0: it was not. */
  #seen = new Uint32Array(64);

  constructor(session: Session, tell: (endpoint: number) => number) {
    this.#session = session;
    this.#tell = tell;
  }

  at(endpoint: number): number {
    if (endpoint >= this.#values.length) this.#grow();
    const version = this.#session.tallies.versionOf(endpoint) + 1;
    if (this.#seen[endpoint] !== version) {
      this.#values[endpoint] = this.#tell(endpoint);
      this.#seen[endpoint] = version;
    }
    return this.#values[endpoint] as number;
  }

  /** Of all endpoints; of the number 0, which none has, it says nothing. Good until the session changes. */
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
