import { evictOldest } from "../../model/evict-oldest.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { Moment } from "./moment.ts";

/** Most URLs remembered, and most responses of each, the latest ones. Defaults; not from a specification. */
const MOST_URLS = 100_000;
const MOST_NAMERS = 8;

/** The responses that named a URL, whether or not they caused its request. */
export class UrlNamers {
  /** By client and URL. */
  readonly #namers = new Map<string, readonly ExchangeId[]>();

  /** Call it at the response's first byte. */
  add({ client, said, facts }: Moment): void {
    for (const { url } of said.named) {
      const key = `${client} ${url}`;
      const namers = this.#namers.get(key) ?? [];
      this.#namers.delete(key);
      this.#namers.set(key, [...namers.slice(1 - MOST_NAMERS), facts.exchange.id]);
      evictOldest(this.#namers, MOST_URLS);
    }
  }

  /** The responses to its client that named the request's URL so far, the latest last. */
  of({ client, url }: Moment): readonly ExchangeId[] {
    return this.#namers.get(`${client} ${url}`) ?? [];
  }
}
