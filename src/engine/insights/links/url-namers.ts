import { evictOldest } from "../../model/evict-oldest.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { Moment } from "./moment.ts";

/**
 * The most URLs remembered (`MOST_URLS`), and the most responses remembered for one
 * URL, the latest ones (`MOST_NAMERS`).
 */
const MOST_URLS = 100_000;
const MOST_NAMERS = 8;

/** The responses that named a URL, whether or not they caused the request for it. */
export class UrlNamers {
  /** The responses by client and URL. */
  readonly #namers = new Map<string, readonly ExchangeId[]>();

  /** Adds the URLs that a response names. Call it at the response's first byte. */
  add({ client, values, facts }: Moment): void {
    for (const { url } of values.named) {
      const key = `${client} ${url}`;
      const namers = this.#namers.get(key) ?? [];
      this.#namers.delete(key);
      this.#namers.set(key, [...namers.slice(1 - MOST_NAMERS), facts.exchange.id]);
      evictOldest(this.#namers, MOST_URLS);
    }
  }

  /** The responses to the same client that have named the request's URL so far, the latest at the end. */
  of({ client, url }: Moment): readonly ExchangeId[] {
    return this.#namers.get(`${client} ${url}`) ?? [];
  }
}
