import type { RequestStarted } from "../../capture/event.ts";
import { evictOldest } from "../../model/evict-oldest.ts";
import { headerOf } from "../../model/head.ts";
import { textOf } from "../../quoting/utf8.ts";

/**
 * The most URLs whose page is remembered, and the most characters of all of them. Ordinary ones take about 15 MB. A
 * longer URL than `LONGEST_URL` belongs to no page.
 */
const MOST_URLS = 50_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;
const LONGEST_URL = 2_048;

/**
 * Finds the page of each request. A HAR file names the page. Otherwise, the page is the URL of a document that the
 * client requested (Fetch Metadata, 2.1); requests whose Referer (RFC 9110, 10.1.3) names the document or a part of it
 * belong to that page:
 *
 *   GET /shop        Sec-Fetch-Dest: document                        https://a.test/shop
 *   GET /shop.css    Referer: https://a.test/shop                    https://a.test/shop
 *   GET /font.woff   Referer: https://a.test/shop.css                https://a.test/shop
 *   GET //cdn/x.js   Referer: https://a.test/ (another origin)       the latest page of https://a.test
 */
export class PageFinder {
  /** The latest page for each client and URL. The URL is that of a document, of a part of a document, or an origin. */
  readonly #pages = new Map<string, string>();
  #characters = 0;

  /** The page of a request; `null` if no page is known. Must be called once for each request, in order. */
  pageOf({ page, head, target, origin }: RequestStarted, client: string): string | null {
    if (page !== undefined) return page;
    if (target.length > LONGEST_URL) return null;
    const url = `${origin}${textOf(target)}`;
    if (headerOf(head, "sec-fetch-dest") === "document") {
      // The URL has no fragment, since browsers never send it.
      this.#put(`${client} ${url}`, url);
      this.#put(`${client} ${origin}`, url);
      return url;
    }
    const referer = headerOf(head, "referer");
    const found = referer === null ? null : this.#named(client, textOf(referer), origin);
    if (found !== null) this.#put(`${client} ${url}`, found);
    return found;
  }

  /**
   * The page that a Referer names; `null` if unknown. A Referer sent to another origin usually has no path. It then
   * stands for the latest page of the origin that it names.
   */
  #named(client: string, referer: string, origin: string): string | null {
    const known = this.#pages.get(`${client} ${referer}`);
    const [, named = ""] = /^(https?:\/\/[^/]+)\/$/i.exec(referer) ?? [];
    if (named === "" || named === origin) return known ?? null;
    return this.#pages.get(`${client} ${named}`) ?? null;
  }

  #put(key: string, page: string): void {
    if (!this.#pages.delete(key)) this.#characters += key.length;
    this.#pages.set(key, page);
    let cap = MOST_URLS;
    do {
      this.#characters -= evictOldest(this.#pages, cap)?.length ?? 0;
      cap = this.#pages.size - 1;
    } while (this.#characters > MOST_CHARACTERS);
  }
}
