import type { ParallelGroup } from "../model/findings.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import { type Interval, readyOf } from "./interval.ts";

/**
 * The parallel groups of every client, in a sweep over intervals that come by start; of two that start together the longer
 * first, so that one that took no time lies inside it:
 *
 *     a ├──────┤
 *     b     ├──────┤       a overlaps b, b overlaps c: one group
 *     c          ├────┤
 *     d               ├──┤ touches c within the tolerance of chains: none
 */
export class ParallelSweep {
  readonly #groups: ParallelGroup[] = [];
  readonly #open = new Map<string, OpenGroup>();

  take({ client, id, start, end }: Interval): void {
    const ready = readyOf({ start, end });
    const group = this.#open.get(client);
    if (group === undefined || start >= group.ready) {
      if (group !== undefined) this.#close(group);
      this.#open.set(client, { client, exchanges: [id], start, end, ready });
      return;
    }
    group.exchanges.push(id);
    if (end > group.end) group.end = end;
    if (ready > group.ready) group.ready = ready;
  }

  /** To be told when all were taken: the groups, by start. */
  end(): readonly ParallelGroup[] {
    for (const group of this.#open.values()) this.#close(group);
    return Object.freeze(this.#groups.sort((left, right) => left.start - right.start));
  }

  #close({ client, exchanges, start, end }: OpenGroup): void {
    if (exchanges.length < 2) return;
    this.#groups.push(Object.freeze({ client, exchanges: Object.freeze(exchanges), start, end }));
  }
}

interface OpenGroup {
  readonly client: string;
  readonly exchanges: ExchangeId[];
  readonly start: Instant;
  end: Instant;
  /** When the last of them no longer counts as running. */
  ready: Instant;
}
