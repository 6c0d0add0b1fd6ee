import type { SlowCause } from "../../../../engine/messages/latency-messages.ts";
import type { Endpoint } from "../../../../engine/model/endpoint.ts";

/** Which slow requests are shown. `group`: one group of the endpoint, by its key. */
export interface SlowScopeNow {
  readonly filter: string;
  readonly cause: SlowCause;
  readonly endpoint: Endpoint | null;
  readonly group: string | null;
}

/** The scope that the tab's lists share. */
export class SlowScope {
  #now: SlowScopeNow;
  readonly #watchers = new Set<() => void>();

  constructor(now: SlowScopeNow) {
    this.#now = now;
  }

  get now(): SlowScopeNow {
    return this.#now;
  }

  set(change: Partial<SlowScopeNow>): void {
    this.#now = { ...this.#now, ...change };
    for (const changed of [...this.#watchers]) changed();
  }

  /** Returns a function that ends it. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }
}
