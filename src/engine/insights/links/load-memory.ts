import { evictOldest } from "../../model/evict-oldest.ts";
import type { Instant } from "../../model/units.ts";
import type { LinkableExchange } from "./linkable-exchange.ts";
import { fileOf } from "./named-urls.ts";

/** The most names remembered of one load, and the most responses remembered for one name, the latest ones. */
const MOST_NAMES = 20_000;
const MOST_NAMERS = 8;

/** Paths and file names shorter than this, in characters, are equal by chance. */
const SHORTEST_NAME = 6;

/** The response that caused a request, and what it named: the URL, its path or its file; or it is a script that ran. */
export interface Cause {
  readonly linkable: LinkableExchange;
  readonly source: "url" | "path" | "file" | "script";
}

/** The most modules that are followed from one script to those that it imports. */
const MOST_IMPORTS = 200;

/** A script that has ended, and the URLs that it imports before it runs. */
interface Module {
  readonly linkable: LinkableExchange;
  readonly imports: readonly string[];
}

interface Named {
  readonly linkable: LinkableExchange;
  /** From this instant on, the client could know the name. */
  readonly at: Instant;
}

/** What the responses of one page load named, and what the load requested so far. */
export class LoadMemory {
  /** Responses by the URL, path or file that they named. Their texts cannot be equal: only URLs have a scheme. */
  readonly #named = new Map<string, readonly Named[]>();
  /** The URL of each file; `null` if several URLs have the same file. */
  readonly #files = new Map<string, string | null>();
  /** The latest start of a request, by URL. */
  readonly #requested = new Map<string, Instant>();
  /** Scripts by URL. */
  readonly #modules = new Map<string, Module>();
  #script: LinkableExchange | null = null;
  #isPageSending = false;

  /**
   * Remembers the URLs and files that a response names. `at`: from when on the client can know them. The response's own
   * path and file name nothing, since the next page of a list has the same.
   */
  name(linkable: LinkableExchange, at: Instant): void {
    if (linkable.values.named.length === 0 && linkable.values.files.length === 0) return;
    const named = { linkable, at };
    const own = pathOf(linkable.url);
    const isOwn = (name: string) => name === own || name === fileOf(own);
    for (const { url, by } of linkable.values.named) {
      if (by === "link" || by === "base" || (by === "text" && linkable.load === null)) continue;
      const path = pathOf(url);
      const file = fileOf(path);
      this.#noteFile(file, url);
      for (const name of new Set([url, path, file]))
        if (name.length >= SHORTEST_NAME && !isOwn(name)) keep(this.#named, name, named);
    }
    for (const file of linkable.values.files) if (!isOwn(file)) keep(this.#named, file, named);
  }

  /**
   * Remembers the latest script that has ended. A document with a script of its own counts from its first byte; if that
   * sends requests itself, it stays the latest, since any later request may be its own.
   */
  ran(script: LinkableExchange): void {
    if (this.#isPageSending) return;
    this.#script = script;
    this.#isPageSending = script.values.ownScripts === "send";
  }

  /** Remembers which modules a script that has ended imports. */
  imports(script: LinkableExchange): void {
    const imports = script.values.named.flatMap(({ url, by }) => (by === "import" ? [url] : []));
    this.#modules.set(script.url, { linkable: script, imports });
    evictOldest(this.#modules, MOST_NAMES);
  }

  /**
   * Of the modules that a script imports, directly or through others, the one that ended last before the request: the
   * script runs after it (HTML, 8.1.4.2). `null` if the script itself ended last, or if the request is for an import.
   */
  lastImportOf(script: LinkableExchange, { url, start }: LinkableExchange): LinkableExchange | null {
    const seen = new Set([script.url]);
    let last = script;
    for (const one of seen) {
      const module = this.#modules.get(one);
      if (module === undefined || seen.size > MOST_IMPORTS) continue;
      if (module.imports.includes(url)) return null;
      if (module.linkable.end > last.end && module.linkable.end <= start) last = module.linkable;
      for (const imported of module.imports) seen.add(imported);
    }
    return last === script ? null : last;
  }

  /**
   * The cause of a request: the response in its Referer, if that names the URL; else the latest response that names its
   * URL or path, or its file if no other URL of the load has the same; else the latest script, for a request with a
   * Referer. A name counts until it was requested.
   */
  causeOf({ url, start, load }: LinkableExchange, referer: string | null): Cause | null {
    if (load === null && !this.#named.has(url)) return null;
    const since = this.#requested.get(url) ?? Number.NEGATIVE_INFINITY;
    const namersOf = (name: string) =>
      (this.#named.get(name) ?? []).filter(({ linkable, at }) => linkable.start < start && at >= since);
    const byUrl = namersOf(url);
    const page = byUrl.findLast(({ linkable }) => linkable.url === referer);
    if (page !== undefined) return { linkable: page.linkable, source: "url" };
    const one = byUrl.at(-1);
    if (load === null) return one === undefined ? null : { linkable: one.linkable, source: "url" };
    const path = pathOf(url);
    const file = fileOf(path);
    const other = namersOf(path).at(-1);
    if (one !== undefined && one.at >= (other?.at ?? one.at)) return { linkable: one.linkable, source: "url" };
    if (other !== undefined) return { linkable: other.linkable, source: "path" };
    const byFile = (this.#files.get(file) ?? url) === url ? namersOf(file).at(-1) : undefined;
    if (byFile !== undefined) return { linkable: byFile.linkable, source: "file" };
    const isNew = since === Number.NEGATIVE_INFINITY && file !== BY_THE_BROWSER;
    if (this.#script === null || !isNew || referer === null) return null;
    return { linkable: this.#script, source: "script" };
  }

  requested({ url, start, load }: LinkableExchange): void {
    this.#requested.set(url, start);
    evictOldest(this.#requested, MOST_NAMES);
    // Only requests of a page's load are known by a file's name.
    if (load !== null) this.#noteFile(fileOf(pathOf(url)), url);
  }

  #noteFile(file: string, url: string): void {
    const known = this.#files.get(file);
    this.#files.set(file, known === undefined || known === url ? url : null);
    evictOldest(this.#files, MOST_NAMES);
  }
}

/** Browsers request this file by themselves (HTML, 4.6.7.9). */
export const BY_THE_BROWSER = "favicon.ico";

function keep(named: Map<string, readonly Named[]>, name: string, one: Named): void {
  const known = named.get(name) ?? [];
  named.delete(name);
  named.set(name, [...known.slice(1 - MOST_NAMERS), one]);
  evictOldest(named, MOST_NAMES);
}

/** The path of an absolute URL, without query. */
function pathOf(url: string): string {
  return /^[a-z]+:\/\/[^/]*([^?]*)/.exec(url)?.[1] ?? "";
}
