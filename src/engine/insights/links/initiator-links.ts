import { evictOldest } from "../../model/evict-oldest.ts";
import type { Milliseconds } from "../../model/units.ts";
import { fieldIn } from "../facts/field-values.ts";
import type { KnownValues } from "./known-values.ts";
import { evidenceOf } from "./link.ts";
import type { Moment } from "./moment.ts";
import type { Dependency, Prover } from "./prover.ts";
import { resolvedUrl } from "./resolved-url.ts";
import type { SentValues } from "./sent-values.ts";

/**
 * Defaults; not from a specification: the most documents and scripts remembered (`MOST_DOCUMENTS`), and the most URLs
 * that responses named (`MOST_URLS`).
 */
const MOST_DOCUMENTS = 50_000;
const MOST_URLS = 200_000;

/** A document, script or style sheet that may cause further requests. */
interface Document {
  readonly moment: Moment;
  readonly isPage: boolean;
}

/**
 * Finds requests that a document or script caused: by the initiator in a HAR file, by the Referer of a subresource, or
 * because a response named the URL.
 */
export class InitiatorLinks implements Prover {
  readonly basis = "initiator";
  readonly #documents = new Map<string, Document>();
  /** The latest page, by client and origin. */
  readonly #pages = new Map<string, Document>();
  readonly #parts = new Map<string, Moment[]>();
  readonly #known: KnownValues;
  readonly #sent: SentValues;
  readonly #window: Milliseconds;

  constructor(sent: SentValues, known: KnownValues, window: Milliseconds) {
    this.#sent = sent;
    this.#known = known;
    this.#window = window;
  }

  dependencies(moment: Moment): readonly Dependency[] {
    const found = this.#said(moment) ?? this.#referred(moment) ?? this.#named(moment);
    return found === null ? [] : [found];
  }

  answer(moment: Moment): void {
    this.#keepDocument(moment);
    for (const named of moment.said.named) {
      const key = `${moment.client} ${named.url}`;
      if (named.isPart) this.#keepPart(key, moment);
      else this.#give(moment, named.url);
    }
  }

  ended(moment: Moment): void {
    this.#known.count(moment);
  }

  /** The dependency on a URL in Chrome's `_initiator`: the first one whose response to this client had begun. */
  #said({ client, start, said }: Moment): Dependency | null {
    for (const url of said.initiators) {
      const document = this.#documents.get(`${client} ${url}`);
      if (document !== undefined && hasBegun(document.moment, start))
        return { from: document.moment.place, evidence: evidenceOf("initiator", null, url) };
    }
    return null;
  }

  /** The dependency of a subresource on the page or style sheet in its Referer (Fetch, 2.2.7; Fetch Metadata, 2.1). */
  #referred({ client, start, facts }: Moment): Dependency | null {
    const destination = fieldIn(facts.requestFields, "sec-fetch-dest");
    const referer = fieldIn(facts.requestFields, "referer");
    if (destination === null || referer === null || !PARTS.has(destination)) return null;
    const url = resolvedUrl(referer, "") ?? referer;
    const document = this.#documents.get(`${client} ${url}`) ?? null;
    if (document === null || !hasBegun(document.moment, start)) return null;
    // A request to another origin has only the page's origin as its Referer. The front page of that origin counts only
    // if it is the client's latest page there.
    const isOrigin = /^https?:\/\/[^/]+\/$/.test(url) && !url.startsWith(`${facts.exchange.origin}/`);
    if (isOrigin && this.#pages.get(`${client} ${url}`) !== document) return null;
    return { from: document.moment.place, evidence: evidenceOf("referer", destination, url) };
  }

  #named(moment: Moment): Dependency | null {
    const part = this.#part(moment);
    if (part !== null) return { from: part.place, evidence: evidenceOf("url", null, moment.url) };
    const [found] = this.#known.use(moment, moment.url, "id");
    return found ?? null;
  }

  /**
   * Removes and returns the response that most likely caused the request for this subresource; `null` if there is none.
   * Prefers the Referer, then the latest response that named the URL. If the client requested the URL before, only the
   * Referer and recent responses count.
   */
  #part(moment: Moment): Moment | null {
    const key = `${moment.client} ${moment.url}`;
    const givers = this.#parts.get(key) ?? [];
    const isKnown = this.#sent.has(moment.client, moment.url);
    const referer = fieldIn(moment.facts.requestFields, "referer");
    const mayCause = (giver: Moment) =>
      hasBegun(giver, moment.start) && (!isKnown || giver.url === referer || moment.start <= giver.end + this.#window);
    const chosen = givers.findLast((giver) => giver.url === referer && mayCause(giver)) ?? givers.findLast(mayCause);
    if (chosen === undefined) return null;
    const left = givers.filter((giver) => giver !== chosen);
    if (left.length === 0) this.#parts.delete(key);
    else this.#parts.set(key, left);
    return chosen;
  }

  #give(moment: Moment, url: string): void {
    if (moment.said.used.has(url)) return;
    if (this.#known.has(moment.client, url) || !this.#sent.has(moment.client, url))
      this.#known.give(moment, { value: url, source: "url", name: null });
  }

  #keepPart(key: string, moment: Moment): void {
    const givers = this.#parts.get(key) ?? [];
    this.#parts.delete(key);
    this.#parts.set(key, [...givers, moment].slice(-MOST_GIVERS));
    evictOldest(this.#parts, MOST_URLS);
  }

  #keepDocument(moment: Moment): void {
    const type = moment.facts.exchange.contentType ?? "";
    if (!/html|javascript|ecmascript|css|svg/.test(type)) return;
    const document = { moment, isPage: type.includes("html") };
    const key = `${moment.client} ${moment.url}`;
    this.#documents.delete(key);
    this.#documents.set(key, document);
    evictOldest(this.#documents, MOST_DOCUMENTS);
    if (document.isPage) this.#pages.set(`${moment.client} ${moment.facts.exchange.origin}/`, document);
  }
}

/** Default; not from a specification: how many of the latest responses that named one URL are kept. */
const MOST_GIVERS = 8;

/** Fetch, 2.2.7: the destinations of subresources. */
const PARTS: ReadonlySet<string> = new Set([
  ...["audio", "embed", "font", "frame", "iframe", "image", "manifest", "object", "script", "style", "track", "video"],
  ...["audioworklet", "paintworklet", "worker", "sharedworker", "serviceworker", "xslt"],
]);

function hasBegun({ start, firstByte }: Moment, at: number): boolean {
  return firstByte !== null && firstByte <= at && start < at;
}
