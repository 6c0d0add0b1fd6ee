import type { ErrorType } from "../../model/exchange.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import type { LoadStep, PageLoad } from "../../model/where.ts";
import { isDocument } from "../document.ts";
import { pollOf } from "../findings/kinds/polling.ts";
import { isRedirect } from "../findings/kinds/redirects.ts";
import { requestField } from "../findings/request.ts";
import { isAwaited, type Request, type Traffic } from "../findings/traffic.ts";
import { groupedBy } from "../grouped.ts";
import type { CriticalPath, CriticalPaths } from "../links/critical-paths.ts";
import { type ReferredLoad, ReferredLoads } from "../links/referred-loads.ts";
import { microsecondsOf, millisecondsOf } from "../microseconds.ts";
import { largestPhaseOf, phaseTimesOf } from "./phase-times.ts";

/** docs/specification.md, Where the time went: a load ends before this long without a request. */
const QUIET: Milliseconds = 2_000;

/** HTML with a Referer that begins this soon after the last response is a frame's document. */
const FRAME_WITHIN: Milliseconds = 100;

/** The most loads listed, and the most responses that are tried as the end of a load's path. */
const MOST_LOADS = 50;
const MOST_TRIED = 50;

/** When a page's load event happened, by its document; `null` if the source does not say. */
export type LoadedAt = (document: ExchangeId) => Instant | null;

/** The requests of one page load, by start. */
export interface Load {
  readonly document: Request;
  readonly requests: readonly Request[];
  /** The load event where the source names it, else the last end of a request. */
  readonly end: number;
}

/** All page loads, by client. */
export function loadsOf(traffic: Traffic, paths: CriticalPaths, loadedAt: LoadedAt): readonly Load[] {
  const polls = pollsOf(traffic);
  const byClient = groupedBy(traffic.requests, (one) => (isAwaited(one) ? one.client : null));
  return [...byClient.values()].flatMap((own) => loadsIn(own, polls, paths, loadedAt));
}

/** The longest page loads, by start. */
export function pageLoadsOf(loads: readonly Load[], traffic: Traffic, paths: CriticalPaths): readonly PageLoad[] {
  const byLength = loads.toSorted(
    (one, other) => lengthOf(other) - lengthOf(one) || one.document.id - other.document.id,
  );
  const described: PageLoad[] = [];
  for (const load of byLength.slice(0, MOST_LOADS)) described.push(pageLoadOf(load, traffic, paths));
  return Object.freeze(described.sort((one, other) => one.start - other.start));
}

/** Requests that a client sends at a steady pace, each with the first of its series. */
type Polls = ReadonlyMap<ExchangeId, ExchangeId>;

function pollsOf({ series }: Traffic): Polls {
  const polls = new Map<ExchangeId, ExchangeId>();
  for (const own of series) {
    for (const { id } of pollOf(own)?.requests ?? []) polls.set(id, own[0]?.id ?? id);
  }
  return polls;
}

/** A load that may still get requests. */
interface OpenLoad {
  readonly first: ExchangeId;
  readonly requests: Request[];
  /** The polls of which the load has a request; their repeats are left out. */
  readonly polls: Set<ExchangeId>;
  /** When its last response ended. */
  until: number;
}

/**
 * `own`: the requests of one client, by start. A request belongs to the load whose document it is proven to need; else
 * to the one that its Referer names, so that each tab has its own load; else to the latest.
 */
function loadsIn(own: readonly Request[], polls: Polls, paths: CriticalPaths, loadedAt: LoadedAt): readonly Load[] {
  const firsts = firstsOf(own, paths);
  if (firsts.size === 0) return [];
  const loads: OpenLoad[] = [];
  const referred = new ReferredLoads();
  const byFirst = new Map<ExchangeId, OpenLoad>();
  const byReferred = new Map<ReferredLoad, OpenLoad>();
  for (const request of own) {
    const { id, facts, start, end } = request;
    const { origin, target } = facts.exchange;
    const named = referred.loadOf({
      facts,
      client: 0,
      url: origin + target,
      contentType: facts.exchange.contentType ?? "",
      isRead: false,
    });
    const isOpen = (load: OpenLoad | undefined) =>
      load !== undefined && (start - load.until < QUIET ? load : undefined);
    let load = isOpen(byFirst.get(paths.rootOf(id) ?? id)) || (named !== null && isOpen(byReferred.get(named)));
    if (firsts.has(id)) {
      load = { first: id, requests: [], polls: new Set(), until: start };
      loads.push(load);
      byFirst.set(id, load);
    }
    load ||= isOpen(loads.at(-1));
    if (!load || !isByPage(request, load.requests[0])) continue;
    if (named !== null && !byReferred.has(named)) byReferred.set(named, load);
    const poll = polls.get(id);
    if (!isAwaitedByPage(request) || (poll !== undefined && load.polls.has(poll))) continue;
    if (poll !== undefined) load.polls.add(poll);
    load.requests.push(request);
    load.until = Math.max(load.until, end);
  }
  return loads.flatMap(({ requests }) => loadOf(requests, loadedAt) ?? []);
}

/**
 * Whether a page may have sent the request: each of its requests has an Accept field (Fetch, 4.1), as its document has.
 * A browser's own requests over plain HTTP have none, nor have they Fetch Metadata.
 */
function isByPage(request: Request, document: Request | undefined): boolean {
  return (
    document === undefined || requestField(document, "accept") === null || requestField(request, "accept") !== null
  );
}

const UNANSWERED: ReadonlySet<string> = new Set<ErrorType>(["client-aborted", "proxy-stopped"]);

/**
 * Whether a page waits for the response. It does not if the request was left unanswered, such as a long poll of a
 * closed page, or was a prefetch for a later page (Fetch, 2.2.7, Sec-Purpose).
 */
function isAwaitedByPage(request: Request): boolean {
  const { outcome } = request.facts.exchange;
  if (outcome?.kind === "failed" && UNANSWERED.has(outcome.errorType)) return false;
  return !/\bprefetch\b/.test(requestField(request, "sec-purpose") ?? "");
}

/** The first requests of page loads: documents, or the redirects that led to them. */
function firstsOf(own: readonly Request[], paths: CriticalPaths): ReadonlySet<ExchangeId> {
  const ids = new Set(own.map(({ id }) => id));
  const firsts = new Set<ExchangeId>();
  const beside = new RecentRequests();
  for (const request of own) {
    const until = beside.until(request.start) + (requestField(request, "referer") === null ? 0 : FRAME_WITHIN);
    if (isOpened(request, request.start < until)) {
      const first = paths.rootOf(request.id) ?? request.id;
      firsts.add(ids.has(first) ? first : request.id);
    }
    beside.add(request);
  }
  return firsts;
}

/** Requests that began at most `QUIET` ago. An older one, such as a long poll, may stay open beside any page. */
class RecentRequests {
  /** By start. The ends decrease, since a request is left out if a later one ends after it. */
  readonly #recent: Request[] = [];
  #first = 0;

  /** When the last of the requests ends that began at most `QUIET` before `now`, which must not decrease. */
  until(now: number): number {
    while ((this.#recent[this.#first]?.start ?? now) < now - QUIET) this.#first += 1;
    return this.#recent[this.#first]?.end ?? Number.NEGATIVE_INFINITY;
  }

  add(request: Request): void {
    while (this.#recent.length > this.#first && (this.#recent.at(-1)?.end ?? 0) <= request.end) this.#recent.pop();
    this.#recent.push(request);
  }
}

/**
 * Whether a person opened the document. Without Fetch Metadata, HTML is a frame if other requests are in flight beside
 * it.
 */
function isOpened(request: Request, isBeside: boolean): boolean {
  if (!isDocument(request.facts) || isRedirect(request)) return false;
  return !isBeside || requestField(request, "sec-fetch-dest") === "document";
}

/** `null` if there is no document, or a single response that no browser is known to have asked for. */
function loadOf(requests: readonly Request[], loadedAt: LoadedAt): Load | null {
  const [document] = requests;
  if (document === undefined) return null;
  const event = loadedAt(document.id);
  if (event !== null && event >= document.end)
    return { document, requests: requests.filter(({ end }) => end <= event), end: event };
  if (requests.length === 1 && requestField(document, "sec-fetch-dest") === null) return null;
  const end = requests.reduce((latest, request) => Math.max(latest, request.end), document.end);
  return { document, requests, end };
}

function lengthOf({ document, end }: Load): Milliseconds {
  return end - document.start;
}

function pageLoadOf(load: Load, { byId }: Traffic, paths: CriticalPaths): PageLoad {
  const { document, end } = load;
  const path = pathOf(load, paths);
  return Object.freeze({
    start: document.facts.exchange.instants.startTime,
    duration: millisecondsOf(microsecondsOf(end) - microsecondsOf(document.start)),
    path: path === null ? Object.freeze([]) : stepsOf(path, byId),
  });
}

/** The critical path from the document to the last response of the load that is proven to need it. */
function pathOf({ document, requests, end }: Load, paths: CriticalPaths): CriticalPath | null {
  const { id: first, client, start } = document;
  const ends = { first, client, start: start as Instant, end: end as Instant, isPage: true };
  const latest = requests.toSorted((one, other) => other.end - one.end || other.id - one.id);
  for (const { id: last, facts } of latest.slice(0, MOST_TRIED)) {
    if (paths.rootOf(facts.exchange.id) !== first) continue;
    const path = paths.pathOf({ ...ends, last });
    const [begin] = path?.parts ?? [];
    if (begin?.kind === "exchange" && begin.id === first) return path;
  }
  return paths.pathOf({ ...ends, last: first });
}

function stepsOf({ parts }: CriticalPath, byId: Traffic["byId"]): readonly LoadStep[] {
  const steps: LoadStep[] = [];
  let gap = 0;
  let meanwhile: ExchangeId | null = null;
  for (const part of parts) {
    const [from, to] = [microsecondsOf(part.from), microsecondsOf(part.to)];
    if (part.kind === "gap") {
      gap += to - from;
      meanwhile = part.longest ?? meanwhile;
      continue;
    }
    const facts = byId.get(part.id)?.facts;
    if (facts === undefined) continue;
    const { phase } = largestPhaseOf(phaseTimesOf(facts.exchange, from, to));
    const times = { gap: millisecondsOf(gap), time: millisecondsOf(to - from) };
    const possible = part.isPossible ? { isPossible: true as const } : {};
    const other = meanwhile === null ? undefined : byId.get(meanwhile)?.facts.endpoint;
    steps.push(
      Object.freeze({
        exchange: part.id,
        endpoint: facts.endpoint,
        ...times,
        meanwhile: other ?? null,
        ...possible,
        phase,
      }),
    );
    gap = 0;
    meanwhile = null;
  }
  return Object.freeze(steps);
}
