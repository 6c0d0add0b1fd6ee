import { endpointKeyOf } from "../../model/endpoint.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Link } from "../../model/link.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import { isDocument } from "../document.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import type { Span } from "../findings/waiting.ts";
import { isWaitedFor } from "../interval.ts";
import { type BusyTimes, busyTimesOf } from "./busy-times.ts";
import type { FoundLinks } from "./link-finder.ts";

/** `WORTH_DELAY`: the shortest delay that is reported. `MOST_STEPS`: the most steps of a path. */
const WORTH_DELAY: Milliseconds = 30;
const MOST_STEPS = 100;

/**
 * A step that the session shows elsewhere may take up to `KNOWN_GAP`, longer than an order link. `MOST_COMPARED`: the
 * most earlier requests that are searched for it.
 */
const KNOWN_GAP: Milliseconds = 1_000;
const MOST_COMPARED = 64;

/**
 * A part of a critical path. The parts follow one another without a gap, so that the sum of their lengths is the length
 * of the path.
 */
export type PathPart =
  /**
   * The exchange until its end, or until the start of the next exchange on the path. `isPossible`: that it waited for
   * the exchange before is possible, not proven.
   */
  | {
      readonly kind: "exchange";
      readonly id: ExchangeId;
      readonly from: Instant;
      readonly to: Instant;
      readonly isPossible: boolean;
    }
  /**
   * The time until the next exchange starts. `idle`: how much of this time the client had no exchange in flight; the
   * rest is busy time. `longest`: the exchange that was in flight for more than half of the gap; `null` if none was.
   */
  | {
      readonly kind: "gap";
      readonly from: Instant;
      readonly to: Instant;
      readonly idle: Milliseconds;
      readonly longest: ExchangeId | null;
    };

/**
 * The exchanges from a page to the last response that depends on it. A path may also begin with another request, if
 * that request waited for no other. Each exchange is proven to need the previous one, or possibly waited for it
 * (`PathGraph.isPossible`).
 */
export interface CriticalPath {
  readonly client: string;
  readonly isPage: boolean;
  readonly parts: readonly PathPart[];
  /**
   * The exchange of this path that started the longest time after a response had named its URL. `namedBy`: that
   * response. `by`: the time from its end to the exchange's start, an upper bound of what can be saved. `null` if `by`
   * would be less than `WORTH_DELAY`.
   */
  readonly sooner: { readonly id: ExchangeId; readonly namedBy: ExchangeId; readonly by: Milliseconds } | null;
}

/**
 * The ends of a critical path. `first`: a request that waited for no other. `last`: of all exchanges that waited for
 * `first`, directly or through others, the one that ended last.
 */
export interface PathEnds {
  readonly first: ExchangeId;
  readonly last: ExchangeId;
  readonly client: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly isPage: boolean;
}

/** The critical paths of a session. */
export interface CriticalPaths {
  /** The longest path first. */
  readonly ends: readonly PathEnds[];
  /**
   * The ends of the path whose first request this exchange needed; else those of the path with the client's latest page
   * before this exchange. `null` if there is neither path.
   */
  endsAround(exchange: Pick<Exchange, "id" | "client" | "instants">): PathEnds | null;
  /**
   * The first request that this exchange is proven to have needed, itself if there is none; `null` if it is unknown.
   */
  rootOf(id: ExchangeId): ExchangeId | null;
  /** `null` if the path has more than `MOST_STEPS` steps. */
  pathOf(ends: PathEnds): CriticalPath | null;
}

export const NO_PATHS: CriticalPaths = Object.freeze({
  ends: Object.freeze([]),
  endsAround: () => null,
  rootOf: () => null,
  pathOf: () => null,
});

/**
 * The exchanges whose end a client waits for, by start, and which of them each is proven to have needed. Only arrays,
 * so that another thread can get it at once. A node is an index in the arrays; -1 stands for none.
 */
export interface PathGraph {
  readonly ids: Float64Array;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly clients: readonly string[];
  /** Index in `clients`. */
  readonly client: Uint32Array;
  /** 1 for the document of a page. */
  readonly isPage: Uint8Array;
  /** 1 for a long poll. */
  readonly isLongPoll: Uint8Array;
  /**
   * Of the nodes that this one is proven to have waited for, the one that ended last; or one it possibly waited for.
   */
  readonly before: Int32Array;
  /**
   * 1 if only a script proves that the node needed its root, and `before` is a data response that it followed later
   * than the script: a script that names a URL requests it once it has read what it needs. A step between two endpoints
   * that an order link shows anywhere in the session counts in each load, also after a longer gap.
   */
  readonly isPossible: Uint8Array;
  /** The first node on the way back through `before`. */
  readonly root: Int32Array;
  /** The response of the same root that named the URL of this node the longest time before its start. */
  readonly namer: Int32Array;
  /** The nodes by id. */
  readonly byId: Uint32Array;
  /** The first and the last node of each path, and whether it contains a page; the longest path first. */
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  readonly hasPage: Uint8Array;
}

/** Finds the critical paths along proven links; links by order alone do not count. `facts` may be in any order. */
export function criticalPathsOf(
  facts: readonly ExchangeFacts[],
  found: Pick<FoundLinks, "links" | "orders" | "named" | "longPolls">,
): CriticalPaths {
  return criticalPathsIn(pathGraphOf(facts, found));
}

/** As `criticalPathsOf`. */
export function pathGraphOf(
  facts: readonly ExchangeFacts[],
  { links, orders, named, longPolls }: Pick<FoundLinks, "links" | "orders" | "named" | "longPolls">,
): PathGraph {
  const waited = facts.filter(({ exchange }) => isWaitedFor(exchange));
  const byStart = waited.toSorted(
    ({ exchange: one }, { exchange: other }) => one.instants.startTime - other.instants.startTime || one.id - other.id,
  );
  const { length } = byStart;
  const [ids, starts, ends] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  const [client, isPage, isLongPoll] = [new Uint32Array(length), new Uint8Array(length), new Uint8Array(length)];
  const clientNumbers = new Map<string, number>();
  const nodes = new Map<number, number>();
  const spans: Span[] = [];
  // One pass, since each pass loads all exchanges into the processor's caches again.
  for (let node = 0; node < length; node += 1) {
    const one = byStart[node] as ExchangeFacts;
    const { id, client: name, instants, endTime } = one.exchange;
    const [start, end] = [instants.startTime, instants.responseEnd ?? endTime ?? instants.startTime];
    const number = clientNumbers.get(name) ?? clientNumbers.size;
    clientNumbers.set(name, number);
    nodes.set(id, node);
    ids[node] = id;
    starts[node] = start;
    ends[node] = end;
    client[node] = number;
    isPage[node] = Number(isDocument(one));
    if (longPolls.has(id)) isLongPoll[node] = 1;
    else spans.push({ client: name, start, end });
  }
  const clients = [...clientNumbers.keys()];
  const { before, proof } = beforeOf({ nodes, starts, ends, isPage, clients, client }, links, busyTimesOf(spans));
  // Links lead to later starts, so the root of the previous node is already known.
  const root = new Int32Array(ids.length);
  for (const [node, previous] of before.entries()) root[node] = previous < 0 ? node : (root[previous] as number);
  const isPossible = new Uint8Array(ids.length);
  const mayFollow = (one: number, node: number) => {
    const script = before[node] ?? -1;
    if (script < 0 || root[one] !== root[node] || !isByScript(proof.get(node), byStart[script])) return false;
    if (!DATA.test(byStart[one]?.exchange.contentType ?? "")) return false;
    return isLater(ends[one] as number, ends[script] as number, starts[node] as number);
  };
  const keyOf = (node: number) => endpointKeyOf((byStart[node] as ExchangeFacts).endpoint);
  const stepKey = (one: number, node: number) => `${keyOf(one)}\n${keyOf(node)}`;
  const known = new Set<string>();
  for (const { from, to } of orders) {
    const [one, node] = [nodes.get(from) ?? -1, nodes.get(to) ?? -1];
    if (!mayFollow(one, node)) continue;
    known.add(stepKey(one, node));
    before[node] = one;
    isPossible[node] = 1;
  }
  for (const node of known.size === 0 ? [] : proof.keys()) {
    if (isPossible[node] === 1) continue;
    let latest = -1;
    for (let one = node - 1; one >= Math.max(0, node - MOST_COMPARED); one -= 1) {
      const gap = (starts[node] as number) - (ends[one] as number);
      if (gap < 0 || gap > KNOWN_GAP || isLongPoll[one] === 1 || !mayFollow(one, node)) continue;
      if (latest < 0 || (ends[one] as number) > (ends[latest] as number)) latest = one;
    }
    if (latest < 0 || !known.has(stepKey(latest, node))) continue;
    before[node] = latest;
    isPossible[node] = 1;
  }
  return Object.freeze({
    ids,
    starts,
    ends,
    clients,
    client,
    isPage,
    before,
    isPossible,
    root,
    isLongPoll,
    namer: namersOf({ nodes, ids, starts, ends, root }, named),
    byId: Uint32Array.from(ids.keys()).sort((one, other) => (ids[one] as number) - (ids[other] as number)),
    ...treesOf({ ids, starts, ends, isPage, root }),
  });
}

interface Timed {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

function beforeOf(
  {
    nodes,
    starts,
    ends,
    isPage,
    clients,
    client,
  }: Timed & Pick<PathGraph, "isPage" | "clients" | "client"> & { readonly nodes: ReadonlyMap<number, number> },
  links: readonly Link[],
  busy: BusyTimes,
): Pick<PathGraph, "before"> & { readonly proof: ReadonlyMap<number, Link> } {
  const before = new Int32Array(starts.length).fill(-1);
  const proof = new Map<number, Link>();
  for (const link of links) {
    const { from, to, kind, basis, gap } = link;
    if (kind !== "proven" || basis === "trace") continue;
    const [one, node] = [nodes.get(from), nodes.get(to)];
    if (one === undefined || node === undefined) continue;
    const start = starts[node] as number;
    if (busy.isPersonsGap(clients[client[node] as number] as string, start - gap, start)) continue;
    if ((starts[one] as number) >= start) continue;
    // A person opens a page, so no earlier response caused it. Links to pages are left out, except redirects.
    if (isPage[node] === 1 && basis !== "protocol") continue;
    const known = before[node] as number;
    if (known >= 0 && !isLater(ends[one] as number, ends[known] as number, start)) continue;
    before[node] = one;
    proof.set(node, link);
  }
  return { before, proof };
}

/** The media types that a script reads before it goes on: no image, though SVG is XML. */
const DATA = /^(?!image\/).*(?:json|xml)|^text\/(?!css|html|javascript)/i;

/**
 * Whether a script may have sent the request at any time after it was there. `namer`: the exchange of the link's
 * `from`.
 */
function isByScript(proof: Link | undefined, namer: ExchangeFacts | undefined): boolean {
  if (proof?.basis !== "initiator" || proof.evidence.source === "initiator") return false;
  return proof.evidence.source === "script" || /javascript|ecmascript/i.test(namer?.exchange.contentType ?? "");
}

/** Whether `one` is the later end. An exchange still running at `start` counts as ended then. */
function isLater(one: number, other: number, start: number): boolean {
  const [end, otherEnd] = [Math.min(one, start), Math.min(other, start)];
  return end === otherEnd ? one < other : end > otherEnd;
}

function namersOf(
  {
    nodes,
    ids,
    starts,
    ends,
    root,
  }: Timed & Pick<PathGraph, "ids" | "root"> & { readonly nodes: ReadonlyMap<number, number> },
  named: FoundLinks["named"],
): Int32Array {
  return Int32Array.from(ids, (id, node) => {
    let namer = -1;
    for (const namedBy of named.get(id as ExchangeId) ?? []) {
      const one = nodes.get(namedBy) ?? -1;
      if (one < 0 || one === node || root[one] !== root[node]) continue;
      if (namer < 0 || (ends[one] as number) < (ends[namer] as number)) namer = one;
    }
    return namer >= 0 && (starts[node] as number) - (ends[namer] as number) >= WORTH_DELAY ? namer : -1;
  });
}

function treesOf({ ids, starts, ends, isPage, root }: Timed & Pick<PathGraph, "ids" | "isPage" | "root">) {
  // Most roots have no other node.
  const trees = new Map<number, { last: number; hasPage: number }>();
  for (let node = 0; node < root.length; node += 1) {
    const first = root[node] as number;
    if (first === node) continue;
    const known = trees.get(first) ?? { last: first, hasPage: isPage[first] as number };
    trees.set(first, known);
    known.hasPage ||= isPage[node] as number;
    if ((ends[node] as number) > (ends[known.last] as number)) known.last = node;
  }
  const lengthOf = ([first, { last }]: readonly [number, { readonly last: number }]) =>
    (ends[last] as number) - (starts[first] as number);
  const paths = [...trees];
  paths.sort((one, other) => lengthOf(other) - lengthOf(one) || (ids[one[0]] as number) - (ids[other[0]] as number));
  return {
    first: Uint32Array.from(paths, ([first]) => first),
    last: Uint32Array.from(paths, ([, { last }]) => last),
    hasPage: Uint8Array.from(paths, ([, { hasPage }]) => hasPage),
  };
}

/** The critical paths of the graph. */
export function criticalPathsIn(graph: PathGraph): CriticalPaths {
  const { ids, starts, ends, clients, client, root, byId, first, last, hasPage } = graph;
  const nodeOf = (id: number): number => {
    const index = lowerBound(0, byId.length, (at) => (ids[byId[at] as number] as number) >= id);
    const node = byId[index];
    return node !== undefined && ids[node] === id ? node : -1;
  };
  let known: { readonly all: readonly PathEnds[]; readonly byRoot: ReadonlyMap<number, PathEnds> } | null = null;
  const all = () => {
    if (known !== null) return known;
    const byRoot = new Map<number, PathEnds>();
    for (const [path, node] of first.entries()) {
      const end = last[path] as number;
      const one: PathEnds = Object.freeze({
        first: ids[node] as ExchangeId,
        last: ids[end] as ExchangeId,
        client: clients[client[node] as number] as string,
        start: starts[node] as Instant,
        end: ends[end] as Instant,
        isPage: hasPage[path] === 1,
      });
      byRoot.set(node, one);
    }
    known = { all: Object.freeze([...byRoot.values()]), byRoot };
    return known;
  };
  const endsFor = (node: number): PathEnds | null =>
    node < 0 ? null : (all().byRoot.get(root[node] as number) ?? null);
  const latestPage = (of: string, until: Instant): number => {
    const number = clients.indexOf(of);
    return graph.isPage.findLastIndex(
      (isPage, node) => isPage === 1 && client[node] === number && (starts[node] as number) <= until,
    );
  };
  return Object.freeze({
    get ends() {
      return all().all;
    },
    endsAround: ({ id, client: of, instants }: Pick<Exchange, "id" | "client" | "instants">) =>
      endsFor(nodeOf(id)) ?? endsFor(latestPage(of, instants.startTime)),
    rootOf: (id: ExchangeId) => {
      const node = nodeOf(id);
      return node < 0 ? null : (ids[root[node] as number] as ExchangeId);
    },
    pathOf: (path: PathEnds) => pathTo(nodeOf(path.last), path, graph),
  });
}

function pathTo(last: number, { isPage, client, start, end }: PathEnds, graph: PathGraph): CriticalPath | null {
  const { before, clients, starts, ends, isLongPoll } = graph;
  const steps: number[] = [];
  for (let node = last; node >= 0; node = before[node] as number) {
    if (steps.length === MOST_STEPS) return null;
    steps.unshift(node);
  }
  if (steps.length === 0) return null;
  const number = clients.indexOf(client);
  const during: number[] = [];
  for (let node = 0; node < starts.length && (starts[node] as number) < end; node += 1) {
    if (graph.client[node] === number && isLongPoll[node] === 0 && (ends[node] as number) > start) during.push(node);
  }
  const parts = steps.flatMap((step, index) => partsOf(step, steps[index + 1] ?? -1, during, graph));
  return Object.freeze({ client, isPage, parts, sooner: soonerOf(steps, graph) });
}

/** `during`: the client's exchanges during the path, by start, without long polls. */
function partsOf(step: number, next: number, during: readonly number[], graph: PathGraph): readonly PathPart[] {
  const { ids, starts, ends, isPossible } = graph;
  const until = next < 0 ? Number.POSITIVE_INFINITY : (starts[next] as number);
  const to = Math.min(ends[step] as number, until) as Instant;
  const [id, from] = [ids[step] as ExchangeId, starts[step] as Instant];
  const own: PathPart = { kind: "exchange", id, from, to, isPossible: isPossible[step] === 1 };
  if (next < 0 || until <= to) return [own];
  let idle = 0;
  let free: number = to;
  let [longest, most]: [ExchangeId | null, Milliseconds] = [null, 0];
  for (const node of during) {
    const [start, end] = [Math.max(starts[node] as number, to), Math.min(ends[node] as number, until)];
    if (end <= start) continue;
    idle += Math.max(0, start - free);
    free = Math.max(free, end);
    if (end - start > most) [longest, most] = [ids[node] as ExchangeId, end - start];
  }
  idle += Math.max(0, until - free);
  if (2 * most <= until - to) longest = null;
  return [own, { kind: "gap", from: to, to: until as Instant, idle, longest }];
}

/** The value of `CriticalPath.sooner`. From the end of the naming response on, the client could know the URL. */
function soonerOf(steps: readonly number[], { ids, starts, ends, namer }: PathGraph): CriticalPath["sooner"] {
  let most: CriticalPath["sooner"] = null;
  for (const node of steps.slice(1)) {
    const one = namer[node] as number;
    if (one < 0) continue;
    const by = (starts[node] as number) - (ends[one] as number);
    if (by > (most?.by ?? 0)) most = { id: ids[node] as ExchangeId, namedBy: ids[one] as ExchangeId, by };
  }
  return most;
}
