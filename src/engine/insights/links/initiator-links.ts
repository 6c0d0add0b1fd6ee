import { evictOldest } from "../../model/evict-oldest.ts";
import { isDocument } from "../document.ts";
import { fieldIn } from "../facts/field-values.ts";
import type { KnownValues } from "./known-values.ts";
import { evidenceOf } from "./link-evidence.ts";
import type { Dependency, LinkProver } from "./link-prover.ts";
import { isReadAsItComes, type LinkableExchange } from "./linkable-exchange.ts";
import { LoadMemory } from "./load-memory.ts";
import { isFetched } from "./named-urls.ts";
import type { ReferredLoad } from "./referred-loads.ts";
import { resolvedUrl } from "./resolved-url.ts";

/** The most documents and scripts remembered, and the most clients and loads of which names are remembered. */
const MOST_DOCUMENTS = 50_000;
const MOST_MEMORIES = 1_000;

/**
 * Finds requests that a response caused: by the initiator in a HAR file, or because a response named the URL. What was
 * named is counted for each page load, so that each load of a page has the same links.
 */
export class InitiatorLinks implements LinkProver {
  readonly basis = "initiator";
  /** The latest document, script or style sheet, by client and URL. */
  readonly #documents = new Map<string, LinkableExchange>();
  readonly #memories = new Map<number, LoadMemory>();
  readonly #configured = new ConfiguredOrigins();
  readonly #known: KnownValues;

  constructor(known: KnownValues) {
    this.#known = known;
  }

  dependencies(linkable: LinkableExchange): readonly Dependency[] {
    const configured = this.#configured.dependencyOf(linkable);
    const found = this.#causedByFile(linkable) ?? this.#caused(linkable) ?? this.#followed(linkable) ?? configured;
    this.#memoryOf(linkable).requested(linkable);
    return found === null ? [] : [found].flat();
  }

  answer(linkable: LinkableExchange): void {
    this.#keepDocument(linkable);
    const { facts, values, firstByte, start } = linkable;
    for (const { url, by } of values.named) if (!isFetched(by) && by !== "base") this.#give(linkable, url);
    if (isReadAsItComes(linkable)) this.#memoryOf(linkable).name(linkable, firstByte ?? start);
    if (isDocument(facts) && (values.ownScripts !== "none" || this.#namesKeptScript(linkable)))
      this.#memoryOf(linkable).ran(linkable);
  }

  ended(linkable: LinkableExchange): void {
    this.#known.count(linkable.client, linkable);
    this.#configured.ended(linkable);
    if (!isReadAsItComes(linkable)) this.#memoryOf(linkable).name(linkable, linkable.ready);
    if (!isScript(linkable.contentType)) return;
    this.#memoryOf(linkable).imports(linkable);
    // Only where the document's markup is known, it is known what the markup does not name.
    if (linkable.load?.isRead === true) this.#memoryOf(linkable).ran(linkable);
  }

  evicted({ scope }: ReferredLoad): void {
    this.#memories.delete(scope);
  }

  #memoryOf({ scope }: LinkableExchange): LoadMemory {
    let memory = this.#memories.get(scope);
    if (memory === undefined) {
      memory = new LoadMemory();
      this.#memories.set(scope, memory);
      evictOldest(this.#memories, MOST_MEMORIES);
    }
    return memory;
  }

  /** The dependency on a URL that the HAR file names: the first one whose response to this client had begun. */
  #causedByFile({ client, start, values }: LinkableExchange): Dependency | null {
    for (const url of values.initiators) {
      const document = this.#documents.get(`${client} ${url}`);
      if (document !== undefined && hasBegun(document, start))
        return { from: document.index, evidence: evidenceOf("initiator", null, url) };
    }
    return null;
  }

  /** The dependency on the response that caused the request; if that is a module, also on the last of its imports. */
  #caused(linkable: LinkableExchange): readonly Dependency[] | null {
    if (isDocument(linkable.facts)) return null;
    const referer = fieldIn(linkable.facts.requestFields, "referer");
    const cause = this.#memoryOf(linkable).causeOf(
      linkable,
      referer === null ? null : (resolvedUrl(referer, "") ?? null),
    );
    if (cause === null) return null;
    const { source, linkable: from } = cause;
    const evidence = evidenceOf(source, null, source === "script" ? from.url : linkable.url);
    const last = this.#memoryOf(linkable).lastImportOf(from, linkable);
    return [
      { from: from.index, evidence },
      ...(last === null ? [] : [{ from: last.index, evidence: evidenceOf("script", null, last.url) }]),
    ];
  }

  /** The dependency on a response with a link to the URL, which a person or a client may follow once. */
  #followed(linkable: LinkableExchange): Dependency | null {
    const [found] = this.#known.use(linkable.client, linkable, linkable.url, "id");
    return found ?? null;
  }

  #give(linkable: LinkableExchange, url: string): void {
    if (!linkable.values.used.has(url))
      this.#known.give([linkable.client], linkable, { value: url, source: "url", name: null });
  }

  /** Whether a document names a script that the client has received before, and may have in its cache. */
  #namesKeptScript({ client, values }: LinkableExchange): boolean {
    return values.named.some(
      ({ url, by }) => isFetched(by) && isScript(this.#documents.get(`${client} ${url}`)?.contentType ?? ""),
    );
  }

  #keepDocument(linkable: LinkableExchange): void {
    if (!/html|javascript|ecmascript|css|svg/.test(linkable.contentType)) return;
    const key = `${linkable.client} ${linkable.url}`;
    this.#documents.delete(key);
    this.#documents.set(key, linkable);
    evictOldest(this.#documents, MOST_DOCUMENTS);
  }
}

function isScript(contentType: string): boolean {
  return /javascript|ecmascript/.test(contentType);
}

function hasBegun({ start, firstByte }: LinkableExchange, at: number): boolean {
  return firstByte !== null && firstByte <= at && start < at;
}

/** The most origins remembered. */
const MOST_ORIGINS = 10_000;

/** A response that named the base of an API or of files, and until when a request counts as the first one. */
interface Configured {
  readonly linkable: LinkableExchange;
  readonly base: string;
  firstUntil: number | null;
}

/**
 * Finds the first requests to an origin that a response named as a base, as a configuration does, and that the client
 * had not requested before in the same page load.
 */
class ConfiguredOrigins {
  readonly #bases = new Map<string, Configured>();
  readonly #requested = new Map<string, number>();

  dependencyOf(linkable: LinkableExchange): Dependency | null {
    const { facts, scope, url, start, end } = linkable;
    if (isDocument(facts)) return null;
    const key = `${scope} ${facts.exchange.origin}`;
    const known = this.#bases.get(key);
    this.#requested.set(key, start);
    evictOldest(this.#requested, MOST_ORIGINS);
    if (known === undefined || !url.startsWith(known.base)) return null;
    if (known.firstUntil !== null && start >= known.firstUntil) return null;
    // A preflight asks only whether the request may follow.
    if (facts.exchange.method !== "OPTIONS") known.firstUntil ??= end;
    return { from: known.linkable.index, evidence: evidenceOf("url", null, known.base) };
  }

  /** Remembers the bases that an ended response named. */
  ended(linkable: LinkableExchange): void {
    for (const { url, by } of linkable.values.named) {
      const origin = /^https?:\/\/[^/]+/.exec(url)?.[0];
      if (by !== "base" || origin === undefined) continue;
      const key = `${linkable.scope} ${origin}`;
      if (this.#bases.has(key) || this.#requested.has(key)) continue;
      const base = url === `${origin}/` ? url : `${url.replace(/\/$/, "")}/`;
      this.#bases.set(key, { linkable, base, firstUntil: null });
      evictOldest(this.#bases, MOST_ORIGINS);
    }
  }
}
