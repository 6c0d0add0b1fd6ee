import { isDocument } from "../document.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { fieldIn } from "../facts/field-values.ts";
import { type ReferredLoad, ReferredLoads } from "../links/referred-loads.ts";
import { normalizedUrl } from "../links/resolved-url.ts";

/** One load of a page in a browser. Loads of the same page have the same `page`. */
export interface BrowserLoad {
  readonly number: number;
  /** The document's URL, and the client. */
  readonly page: string;
  /** The URLs of the scripts of service workers that the load requested. */
  readonly workers: Set<string>;
}

/** Finds the page load of each request. Only browsers load pages: other clients that read HTML have no loads. */
export class BrowserLoads {
  readonly #loads = new ReferredLoads();
  readonly #clients = new Map<string, number>();
  readonly #found = new WeakMap<ReferredLoad, BrowserLoad>();

  /** The load of the request; `null` if there is none. Requests must be given by start. */
  loadOf(facts: ExchangeFacts): BrowserLoad | null {
    const { client, origin, target } = facts.exchange;
    const isPage = isBrowsersDocument(facts);
    let number = this.#clients.get(client);
    if (number === undefined) {
      if (!isPage) return null;
      number = this.#clients.size;
      this.#clients.set(client, number);
    }
    if (!isPage && isDocument(facts)) return null;
    const url = normalizedUrl(origin + target);
    const contentType = facts.exchange.contentType ?? "";
    const load = this.#loads.loadOf({ facts, client: number, url, contentType, isRead: false });
    if (load === null) return null;
    const found = this.#found.get(load) ?? {
      number: -load.scope,
      page: `${client}\n${url}`,
      workers: new Set<string>(),
    };
    this.#found.set(load, found);
    if (isWorkerScript(facts)) found.workers.add(url);
    return found;
  }
}

/** Browsers ask for documents by a media type or as a navigation; scripts and other programs ask for anything. */
function isBrowsersDocument(facts: ExchangeFacts): boolean {
  if (!isDocument(facts)) return false;
  const { requestFields } = facts;
  return fieldIn(requestFields, "sec-fetch-mode") !== null || /\bhtml\b/.test(fieldIn(requestFields, "accept") ?? "");
}

/** Whether the request is for the script of a service worker (Service Workers, Update; Fetch Metadata, 2.1). */
function isWorkerScript({ requestFields }: ExchangeFacts): boolean {
  return (
    fieldIn(requestFields, "service-worker") === "script" ||
    fieldIn(requestFields, "sec-fetch-dest") === "serviceworker"
  );
}
