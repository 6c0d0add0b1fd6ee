import type { PageDescribed } from "../capture/event.ts";
import { addTo } from "../insights/grouped.ts";
import { runNameOf } from "../model/session-name.ts";
import type { Milliseconds } from "../model/units.ts";
import { startOf } from "./date-time.ts";
import { isCacheHit, isConnectionKept, lengthOf } from "./har-timings.ts";
import { JsonValue } from "./json-value.ts";

/** The most characters kept of a page's id and title, and of the name of a mark; the most marks of a page. */
export const LONGEST_PAGE = 256;
const LONGEST_TITLE = 1_024;
const LONGEST_NAME = 64;
const MOST_MARKS = 32;

/**
 * A page of `log.pages`; `null` if it has no id. Its marks are the times of `pageTimings`, and the paints that
 * WebPageTest writes beside them.
 */
export function pageDescribedIn(page: unknown): PageDescribed | null {
  const value = new JsonValue(page);
  const id = value.at("id").text ?? "";
  if (id === "") return null;
  const marks = new Map<string, Milliseconds>();
  const timings = value.at("pageTimings");
  const paints = value.names.filter((name) => /^_(?:first|largest)\w*Paint$/i.test(name));
  for (const [holder, names] of [
    [timings, timings.names.filter((name) => /^(?:_|onContentLoad$|onLoad$)/.test(name))],
    [value, paints],
  ] as const) {
    for (const name of names) {
      const time = lengthOf(holder.at(name));
      if (time !== null && name.length <= LONGEST_NAME && marks.size < MOST_MARKS) marks.set(name, time);
    }
  }
  return Object.freeze({
    type: "page-described",
    page: id.slice(0, LONGEST_PAGE),
    title: (value.at("title").text ?? "").slice(0, LONGEST_TITLE),
    at: startOf(value.at("startedDateTime")),
    marks,
  });
}

/** The most pages whose runs are kept; further ones belong to no run. */
const MOST_PAGES = 10_000;

/**
 * The runs of a file with several page loads, each of them in a browser of its own. WebPageTest writes `_run` and
 * `_cached`, or titles such as "Run 1, First View for …"; Browsertime and sitespeed.io may end a title with "run 1".
 * Pages without such names are runs if they load the same URL one after another, each in a browser that starts anew.
 */
export class HarRuns {
  /** By the id of a page, its run; `null` if the file names none. */
  readonly #ofPages = new Map<string, string | null>();
  #names = new Set<string>();

  /** Adds a page of `log.pages`. */
  addPage(page: unknown): void {
    const value = new JsonValue(page);
    const id = value.at("id").text;
    const run = writtenRunOf(value) ?? titledRunOf(value.at("title").text ?? "");
    if (id === null || this.#ofPages.size >= MOST_PAGES) return;
    this.#ofPages.set(id, run);
    if (run !== null) this.#names.add(run);
  }

  /** Whether the entry's run depends on further entries or pages, which `decide` needs. */
  isOpen(entry: unknown): boolean {
    const page = new JsonValue(entry).at("pageref").text;
    if (page === null) return false;
    return !this.#ofPages.has(page) || (this.#names.size === 0 && this.#ofPages.size > 1);
  }

  /**
   * Looks for runs that the file does not name. `entries`: those of all pages. Yields often, so that the caller can
   * pause.
   */
  *decide(entries: readonly unknown[]): Generator<null, void, undefined> {
    if (this.#names.size > 0) return;
    const loads = yield* loadsOf(entries);
    let run = 0;
    const url = loads[0]?.entries[0]?.at("request").at("url").text ?? null;
    const found = new Map<string, string>();
    let latestEnd = Number.NEGATIVE_INFINITY;
    for (const [index, { page, start, end, entries: own }] of loads.entries()) {
      if (own[0]?.at("request").at("url").text === url) {
        if (latestEnd > start || (index > 0 && !isFresh(own))) return;
        run += 1;
      }
      latestEnd = Math.max(latestEnd, end);
      found.set(page, runNameOf(run, false));
      yield null;
    }
    if (run < 2) return;
    for (const [page, name] of found) this.#ofPages.set(page, name);
    this.#names = new Set(found.values());
  }

  /** The run of an entry, such as "run-2" or "run-2-cached"; `null` if the file has a single run. */
  runOf(entry: unknown): string | null {
    const value = new JsonValue(entry);
    const run = writtenRunOf(value) ?? this.#ofPages.get(value.at("pageref").text ?? "") ?? null;
    return this.#names.size === 1 && run !== null && this.#names.has(run) ? null : run;
  }
}

/** The entries of a page, by start. */
interface Load {
  readonly page: string;
  readonly start: number;
  readonly end: number;
  readonly entries: readonly JsonValue[];
}

/** The loads of all pages, by start. Yields after each entry. */
function* loadsOf(entries: readonly unknown[]): Generator<null, readonly Load[], undefined> {
  const byPage = new Map<string, { readonly entry: JsonValue; readonly start: number; readonly end: number }[]>();
  for (const one of entries) {
    yield null;
    const entry = new JsonValue(one);
    const page = entry.at("pageref").text;
    const start = startOf(entry.at("startedDateTime"));
    if (page === null || start === null) continue;
    addTo(byPage, page, { entry, start, end: start + (lengthOf(entry.at("time")) ?? 0) });
  }
  const loads: Load[] = [];
  for (const [page, own] of byPage) {
    own.sort((one, other) => one.start - other.start);
    const end = own.reduce((latest, one) => Math.max(latest, one.end), Number.NEGATIVE_INFINITY);
    loads.push({ page, start: own[0]?.start ?? 0, end, entries: own.map(({ entry }) => entry) });
  }
  return loads.sort((one, other) => one.start - other.start);
}

/** Whether the browser had neither open connections nor a cache. */
function isFresh(entries: readonly JsonValue[]): boolean {
  const [first] = entries;
  if (first === undefined || isConnectionKept(first)) return false;
  const urls = new Set<string>();
  return entries.every((entry) => {
    const url = entry.at("request").at("url").text ?? "";
    if (urls.has(url)) return true;
    urls.add(url);
    return !isCacheHit(entry) && !isConditional(entry);
  });
}

/** Whether the request asks for a change of what is in the cache (RFC 9110, 13.1). */
function isConditional(entry: JsonValue): boolean {
  const fields = entry.at("request").at("headers").items;
  return fields.some((field) => /^if-(?:none-match|modified-since)$/i.test(field.at("name").text ?? ""));
}

function writtenRunOf(value: JsonValue): string | null {
  const run = value.at("_run").numeric;
  if (run === null || !Number.isSafeInteger(run) || run < 0) return null;
  return runNameOf(run, value.at("_cached").numeric === 1 || value.at("_cached").boolean === true);
}

function titledRunOf(title: string): string | null {
  const run = /^run (\d{1,6})(?=,|$)/i.exec(title)?.[1] ?? /\srun (\d{1,6})$/i.exec(title)?.[1];
  return run === undefined ? null : runNameOf(Number(run), /^run \d{1,6}, repeat view\b/i.test(title));
}
