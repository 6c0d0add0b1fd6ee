import { evictOldest } from "../../model/evict-oldest.ts";
import { isDocument } from "../document.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { fieldIn } from "../facts/field-values.ts";
import { normalizedUrl } from "./resolved-url.ts";

/** The most URLs whose load is remembered. */
const MOST_URLS = 50_000;

/** The most loads remembered of one client, as many as a person loads at once in tabs; and of all clients. */
const MOST_OF_CLIENT = 8;
const MOST_LOADS = 100;

/** One load of a page by one client: its document, and all that the document and its parts requested. */
export interface ReferredLoad {
  /** A number that no client and no other load has. */
  readonly scope: number;
  readonly client: number;
  /** Whether the document's markup is known. */
  readonly isRead: boolean;
}

/** A request, as far as its load depends on it. */
export interface Loaded {
  readonly facts: ExchangeFacts;
  readonly client: number;
  readonly url: string;
  /** The media type that the client reads; "" if it is not known. */
  readonly contentType: string;
  /** Whether the response's text is known. */
  readonly isRead: boolean;
}

/**
 * Finds the page load to which a request belongs: by its Referer (RFC 9110, 10.1.3), which names the document, a part
 * of it or its origin; without a Referer, the client's latest load. Requests must be given by start.
 */
export class ReferredLoads {
  /** The latest load, by client and the URL of a document, script or style sheet, and by client and origin. */
  readonly #byUrl = new Map<string, ReferredLoad>();
  /** The loads of each client, the latest at the end. */
  readonly #byClient = new Map<number, ReferredLoad[]>();
  readonly #all = new Set<ReferredLoad>();
  readonly #onEvicted: (load: ReferredLoad) => void;
  #scopes = 0;

  /** `onEvicted`: called with a load to which no further request will belong. */
  constructor(onEvicted: (load: ReferredLoad) => void = () => {}) {
    this.#onEvicted = onEvicted;
  }

  /** The load of the request; `null` if its client has loaded no page. */
  loadOf(request: Loaded): ReferredLoad | null {
    const { facts, client, url } = request;
    const load = isDocument(facts) ? this.#begin(request) : this.#joined(request);
    if (load !== null && /html|javascript|ecmascript|css|svg/.test(request.contentType))
      this.#put(`${client} ${url}`, load);
    return load;
  }

  #begin({ client, facts, isRead }: Loaded): ReferredLoad {
    this.#scopes += 1;
    const load: ReferredLoad = { scope: -this.#scopes, client, isRead };
    const own = this.#byClient.get(client) ?? [];
    own.push(load);
    this.#byClient.set(client, own);
    this.#all.add(load);
    const [oldestOfClient] = own.slice(0, -MOST_OF_CLIENT);
    const [oldest] = this.#all;
    if (oldestOfClient !== undefined) this.#evict(oldestOfClient);
    else if (oldest !== undefined && this.#all.size > MOST_LOADS) this.#evict(oldest);
    this.#put(`${client} ${facts.exchange.origin}/`, load);
    return load;
  }

  #joined({ client, facts }: Loaded): ReferredLoad | null {
    const own = this.#byClient.get(client);
    if (own === undefined) return null;
    const referer = fieldIn(facts.requestFields, "referer");
    if (referer === null) return own.at(-1) ?? null;
    const named = this.#byUrl.get(`${client} ${normalizedUrl(referer)}`);
    return named !== undefined && this.#all.has(named) ? named : null;
  }

  #evict(load: ReferredLoad): void {
    const left = (this.#byClient.get(load.client) ?? []).filter((one) => one !== load);
    if (left.length === 0) this.#byClient.delete(load.client);
    else this.#byClient.set(load.client, left);
    this.#all.delete(load);
    this.#onEvicted(load);
  }

  #put(key: string, load: ReferredLoad): void {
    this.#byUrl.delete(key);
    this.#byUrl.set(key, load);
    evictOldest(this.#byUrl, MOST_URLS);
  }
}
