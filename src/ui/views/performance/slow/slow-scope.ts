import type { SlowCause } from "../../../../engine/messages/latency-messages.ts";
import type { Endpoint } from "../../../../engine/model/endpoint.ts";

/** Which slow requests are shown. `group`: the key of the only group to show; `null`: all groups. */
export interface SlowScopeNow {
  readonly filter: string;
  readonly cause: SlowCause;
  readonly endpoint: Endpoint | null;
  readonly group: string | null;
}

/** The scope shared by the lists of the tab. */
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

  /** Calls `changed` after each change, until the returned function is called. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }
}
