import { evictOldest } from "../../model/evict-oldest.ts";
import { isDocument } from "../document.ts";
import { fieldIn } from "../facts/field-values.ts";
import type { KnownValues } from "./known-values.ts";
import { evidenceOf } from "./link-evidence.ts";
import { LoadMemory } from "./load-memory.ts";
import { isReadAsItComes, type Moment } from "./moment.ts";
import { isFetched } from "./named-urls.ts";
import type { Dependency, Prover } from "./prover.ts";
import type { ReferredLoad } from "./referred-loads.ts";
import { resolvedUrl } from "./resolved-url.ts";

/** The most documents and scripts remembered, and the most clients and loads of which names are remembered. */
const MOST_DOCUMENTS = 50_000;
const MOST_MEMORIES = 1_000;

/**
 * Finds requests that a response caused: by the initiator in a HAR file, or because a response named the URL. What was
 * named is counted for each page load, so that each load of a page has the same links.
 */
export class InitiatorLinks implements Prover {
  readonly basis = "initiator";
  /** The latest document, script or style sheet, by client and URL. */
  readonly #documents = new Map<string, Moment>();
  readonly #memories = new Map<number, LoadMemory>();
  readonly #configured = new ConfiguredOrigins();
  readonly #known: KnownValues;

  constructor(known: KnownValues) {
    this.#known = known;
  }

  dependencies(moment: Moment): readonly Dependency[] {
    const configured = this.#configured.dependencyOf(moment);
    const found = this.#causedByFile(moment) ?? this.#caused(moment) ?? this.#followed(moment) ?? configured;
    this.#memoryOf(moment).requested(moment);
    return found === null ? [] : [found].flat();
  }

  answer(moment: Moment): void {
    this.#keepDocument(moment);
    const { facts, values, firstByte, start } = moment;
    for (const { url, by } of values.named) if (!isFetched(by) && by !== "base") this.#give(moment, url);
    if (isReadAsItComes(moment)) this.#memoryOf(moment).name(moment, firstByte ?? start);
    if (values.ownScripts !== "none" && isDocument(facts)) this.#memoryOf(moment).ran(moment);
  }

  ended(moment: Moment): void {
    this.#known.count(moment.client, moment);
    this.#configured.ended(moment);
    if (!isReadAsItComes(moment)) this.#memoryOf(moment).name(moment, moment.ready);
    if (!/javascript|ecmascript/.test(moment.contentType)) return;
    this.#memoryOf(moment).imports(moment);
    // Only where the document's markup is known, it is known what the markup does not name.
    if (moment.load?.isRead === true) this.#memoryOf(moment).ran(moment);
  }

  evicted({ scope }: ReferredLoad): void {
    this.#memories.delete(scope);
  }

  #memoryOf({ scope }: Moment): LoadMemory {
    let memory = this.#memories.get(scope);
    if (memory === undefined) {
      memory = new LoadMemory();
      this.#memories.set(scope, memory);
      evictOldest(this.#memories, MOST_MEMORIES);
    }
    return memory;
  }

  /** The dependency on a URL that the HAR file names: the first one whose response to this client had begun. */
  #causedByFile({ client, start, values }: Moment): Dependency | null {
    for (const url of values.initiators) {
      const document = this.#documents.get(`${client} ${url}`);
      if (document !== undefined && hasBegun(document, start))
        return { from: document.index, evidence: evidenceOf("initiator", null, url) };
    }
    return null;
  }

  /** The dependency on the response that caused the request; if that is a module, also on the last of its imports. */
  #caused(moment: Moment): readonly Dependency[] | null {
    if (isDocument(moment.facts)) return null;
    const referer = fieldIn(moment.facts.requestFields, "referer");
    const cause = this.#memoryOf(moment).causeOf(moment, referer === null ? null : (resolvedUrl(referer, "") ?? null));
    if (cause === null) return null;
    const { source, moment: from } = cause;
    const evidence = evidenceOf(source, null, source === "script" ? from.url : moment.url);
    const last = this.#memoryOf(moment).lastImportOf(from, moment);
    return [
      { from: from.index, evidence },
      ...(last === null ? [] : [{ from: last.index, evidence: evidenceOf("script", null, last.url) }]),
    ];
  }

  /** The dependency on a response with a link to the URL, which a person or a client may follow once. */
  #followed(moment: Moment): Dependency | null {
    const [found] = this.#known.use(moment.client, moment, moment.url, "id");
    return found ?? null;
  }

  #give(moment: Moment, url: string): void {
    if (!moment.values.used.has(url))
      this.#known.give([moment.client], moment, { value: url, source: "url", name: null });
  }

  #keepDocument(moment: Moment): void {
    if (!/html|javascript|ecmascript|css|svg/.test(moment.contentType)) return;
    const key = `${moment.client} ${moment.url}`;
    this.#documents.delete(key);
    this.#documents.set(key, moment);
    evictOldest(this.#documents, MOST_DOCUMENTS);
  }
}

function hasBegun({ start, firstByte }: Moment, at: number): boolean {
  return firstByte !== null && firstByte <= at && start < at;
}

/** The most origins remembered. */
const MOST_ORIGINS = 10_000;

/** A response that named the base of an API or of files, and until when a request counts as the first one. */
interface Configured {
  readonly moment: Moment;
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

  dependencyOf(moment: Moment): Dependency | null {
    const { facts, scope, url, start, end } = moment;
    if (isDocument(facts)) return null;
    const key = `${scope} ${facts.exchange.origin}`;
    const known = this.#bases.get(key);
    this.#requested.set(key, start);
    evictOldest(this.#requested, MOST_ORIGINS);
    if (known === undefined || !url.startsWith(known.base)) return null;
    if (known.firstUntil !== null && start >= known.firstUntil) return null;
    // A preflight asks only whether the request may follow.
    if (facts.exchange.method !== "OPTIONS") known.firstUntil ??= end;
    return { from: known.moment.index, evidence: evidenceOf("url", null, known.base) };
  }

  /** Remembers the bases that an ended response named. */
  ended(moment: Moment): void {
    for (const { url, by } of moment.values.named) {
      const origin = /^https?:\/\/[^/]+/.exec(url)?.[0];
      if (by !== "base" || origin === undefined) continue;
      const key = `${moment.scope} ${origin}`;
      if (this.#bases.has(key) || this.#requested.has(key)) continue;
      const base = url === `${origin}/` ? url : `${url.replace(/\/$/, "")}/`;
      this.#bases.set(key, { moment, base, firstUntil: null });
      evictOldest(this.#bases, MOST_ORIGINS);
    }
  }
}
