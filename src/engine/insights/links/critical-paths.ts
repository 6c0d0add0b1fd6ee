import type { Exchange } from "../../model/exchange.ts";
import type { Link } from "../../model/findings.ts";
import type { Steps } from "../../model/steps.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { chosenFrom, Pace } from "../findings/sliced.ts";
import { type BusyTimes, busyTimesOf, isWaitedFor } from "./busy-times.ts";
import type { FoundLinks } from "./link-finder.ts";
import { isDocument } from "./page-loads.ts";
import { PERSONS_GAP } from "./walks.ts";

/**
 * `WORTH_DELAY`: the shortest delay that is reported. `MOST_STEPS`: the most steps of a path.
 */
const WORTH_DELAY: Milliseconds = 30;
const MOST_STEPS = 100;

/**
 * A part of a critical path. The parts follow one another without a gap, so that the sum of their lengths is the length
 * of the path.
 */
export type PathPart =
  /** The exchange until its end, or until the start of the next exchange on the path. */
  | { readonly kind: "exchange"; readonly id: ExchangeId; readonly from: Instant; readonly to: Instant }
  /**
   * The time until the next exchange starts. `idle`: how much of this time the client had no exchange in flight; the
   * rest is busy time. `longest`: the exchange that covers the largest part of the busy time; `null` if there is
   * none.
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
 * that request waited for no other. Each exchange is proven to need the previous one.
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
  /** The first request that this exchange is proven to have needed, itself if there is none; `null` if it is unknown. */
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

/** Finds the critical paths along proven links; links by order alone do not count. `facts` may be in any order. */
export function* criticalPathsOf(
  facts: readonly ExchangeFacts[],
  { links, named, longPolls }: Pick<FoundLinks, "links" | "named" | "longPolls">,
): Steps<CriticalPaths> {
  const nodes = yield* nodesOf(facts, links);
  const trees = new Map<Node, { last: Node; isPage: boolean; size: number }>();
  const pace = new Pace();
  const byStart = [...nodes.values()].sort((one, other) => one.start - other.start || one.id - other.id);
  yield;
  for (const node of byStart) {
    if (pace.isDue(1)) yield;
    const { before } = node;
    // Links lead to later starts, so the root of the previous exchange is already known.
    const root = before?.root ?? node;
    node.root = root;
    const known = trees.get(root);
    if (known === undefined) trees.set(root, { last: node, isPage: node.isPage, size: 1 });
    else {
      known.size += 1;
      known.isPage ||= node.isPage;
      if (node.end > known.last.end) known.last = node;
    }
  }
  const pages = yield* chosenFrom(byStart, ({ isPage }) => isPage);
  const waits = yield* chosenFrom(byStart, ({ id }) => !longPolls.has(id));
  const busy = yield* busyTimesOf(waits);
  const endsOf = new Map<Node, PathEnds>();
  for (const [root, { last, isPage, size }] of trees) {
    if (pace.isDue(1)) yield;
    const { id: first, client, start } = root;
    if (size > 1) endsOf.set(root, Object.freeze({ first, last: last.id, client, start, end: last.end, isPage }));
  }
  const ends = [...endsOf.values()].sort(
    (one, other) => other.end - other.start - (one.end - one.start) || one.first - other.first,
  );
  yield;
  const endsFor = (node: Node | undefined): PathEnds | null => {
    const root = node?.root ?? null;
    return root === null ? null : (endsOf.get(root) ?? null);
  };
  const endsAround: CriticalPaths["endsAround"] = ({ id, client, instants }) => {
    const isLoaded = (page: Node) => page.client === client && page.start <= instants.startTime;
    return endsFor(nodes.get(id)) ?? endsFor(pages.findLast(isLoaded));
  };
  return Object.freeze({
    ends: Object.freeze(ends),
    endsAround,
    rootOf: (id: ExchangeId) => nodes.get(id)?.root?.id ?? null,
    pathOf: (ends: PathEnds) => pathTo(nodes.get(ends.last), ends, { nodes, waits, named, busy }),
  });
}

interface Node {
  readonly id: ExchangeId;
  readonly client: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly isPage: boolean;
  /** Of the exchanges that this one is proven to have waited for, the one that ended last. */
  before: Node | null;
  /** The first exchange on the way back through `before`; `null` until computed. */
  root: Node | null;
}

/** All exchanges whose end a client waits for. */
function* nodesOf(facts: readonly ExchangeFacts[], links: readonly Link[]): Steps<ReadonlyMap<ExchangeId, Node>> {
  const nodes = new Map<ExchangeId, Node>();
  const pace = new Pace();
  for (const one of facts) {
    if (pace.isDue(1)) yield;
    const { id, client, instants, endTime } = one.exchange;
    if (!isWaitedFor(one.exchange)) continue;
    const { startTime: start } = instants;
    const end = instants.responseEnd ?? endTime ?? start;
    nodes.set(id, { id, client, start, end, isPage: isDocument(one), before: null, root: null });
  }
  for (const { from, to, kind, basis, gap } of links) {
    if (pace.isDue(1)) yield;
    if (kind !== "proven" || basis === "trace" || gap >= PERSONS_GAP) continue;
    const [before, node] = [nodes.get(from), nodes.get(to)];
    if (before === undefined || node === undefined || before.start >= node.start) continue;
    // A person opens a page, so no earlier response caused it. Links to pages are left out, except redirects.
    if (node.isPage && basis !== "protocol") continue;
    if (node.before === null || isLater(before, node.before, node.start)) node.before = before;
  }
  return nodes;
}

/** Whether `one` ended later than `other`. An exchange still running at `start` counts as ended then. */
function isLater(one: Node, other: Node, start: Instant): boolean {
  const [end, otherEnd] = [Math.min(one.end, start), Math.min(other.end, start)];
  return end === otherEnd ? one.end < other.end : end > otherEnd;
}

interface Sources {
  readonly nodes: ReadonlyMap<ExchangeId, Node>;
  /** All exchanges without long polls, by start. */
  readonly waits: readonly Node[];
  readonly named: FoundLinks["named"];
  readonly busy: BusyTimes;
}

function pathTo(last: Node | undefined, ends: PathEnds, sources: Sources): CriticalPath | null {
  const { isPage, client } = ends;
  const steps: Node[] = [];
  for (let node = last ?? null; node !== null; node = node.before) {
    if (steps.length === MOST_STEPS) return null;
    steps.unshift(node);
  }
  if (steps.length === 0) return null;
  const during = sources.waits.filter((one) => one.client === client && one.start < ends.end && one.end > ends.start);
  const parts = steps.flatMap((step, index) => partsOf(step, steps[index + 1] ?? null, during, sources.busy));
  return Object.freeze({ client, isPage, parts, sooner: soonerOf(steps, sources) });
}

/** `during`: the client's exchanges during the path, by start. */
function partsOf(step: Node, next: Node | null, during: readonly Node[], busy: BusyTimes): readonly PathPart[] {
  const to = Math.min(step.end, next?.start ?? step.end) as Instant;
  const own: PathPart = { kind: "exchange", id: step.id, from: step.start, to };
  if (next === null || next.start <= to) return [own];
  const idle = busy.idleBetween(step.client, to, next.start);
  let [longest, most]: [ExchangeId | null, Milliseconds] = [null, 0];
  for (const { id, start, end } of during) {
    const length = Math.min(end, next.start) - Math.max(start, to);
    if (length > most) [longest, most] = [id, length];
  }
  return [own, { kind: "gap", from: to, to: next.start, idle, longest }];
}

/**
 * The value of `CriticalPath.sooner`. Only responses with the same root as the path count. From the end of such a
 * response on, the client could know the URL.
 */
function soonerOf([root, ...rest]: readonly Node[], { nodes, named }: Sources): CriticalPath["sooner"] {
  let most: CriticalPath["sooner"] = null;
  for (const { id, start } of rest) {
    for (const namedBy of named.get(id) ?? []) {
      const namer = nodes.get(namedBy);
      if (namer === undefined || namer.root !== root || namer.id === id) continue;
      const by = start - namer.end;
      if (by >= WORTH_DELAY && by > (most?.by ?? 0)) most = { id, namedBy, by };
    }
  }
  return most;
}
