import { endpointKeyOf } from "../../model/endpoint.ts";
import type { Link } from "../../model/link.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { largestOf } from "../findings/draft.ts";
import { isWaitedFor } from "../interval.ts";
import { type BusyTimes, busyTimesOf } from "./busy-times.ts";
import type { FoundLinks } from "./link-finder.ts";

/**
 * docs/specification.md, `sequential-requests`: how many order links make it worth running the requests in parallel
 * (`WORTH_LINKS`), and the least duration of each request (`WORTH_LENGTH`).
 */
const WORTH_LINKS = 3;
const WORTH_LENGTH: Milliseconds = 30;

/** The most walks listed. */
const MOST_WALKS = 100;

/** One exchange of a chain. */
export interface WalkStep {
  readonly id: ExchangeId;
  readonly endpoint: ExchangeFacts["endpoint"];
  readonly start: Instant;
  readonly end: Instant;
}

/** One occurrence of a walk: each exchange waited for the previous one. */
export interface Occurrence {
  readonly client: string;
  /** From the first start to the last end. */
  readonly duration: Milliseconds;
  /**
   * The client's part of the duration: how long it had no exchange in flight between the steps, without gaps that
   * Retry-After asked for.
   */
  readonly clientTime: Milliseconds;
  /** The total of the gaps that Retry-After asked for. */
  readonly retryAfterTime: Milliseconds;
  /** At least 2 steps, in order. */
  readonly steps: readonly WalkStep[];
  /** One link fewer than `steps`. */
  readonly links: readonly Link[];
}

/** A sequence of endpoints that occurred once or more often. */
export interface Walk {
  readonly count: number;
  /** The median of the durations. */
  readonly median: Milliseconds;
  readonly longest: Occurrence;
  /** The first exchange of the first occurrence. It identifies the walk, even when further occurrences are found. */
  readonly first: ExchangeId;
  /** Whether every link of the longest occurrence is proven. */
  readonly isProven: boolean;
  /**
   * The most that the longest occurrence could save if its order links are no dependencies; `null` if it has no run of
   * at least `WORTH_LINKS` such links.
   */
  readonly couldSave: Milliseconds | null;
}

/** The listed walks, and the exchanges in their occurrences. */
export interface WalksFound {
  readonly walks: readonly Walk[];
  readonly positions: ReadonlyMap<ExchangeId, WalkPosition>;
}

export interface WalkPosition {
  /** The walk's index in `walks`. */
  readonly walk: number;
  /** The link from the previous exchange; `null` for the first of an occurrence. */
  readonly link: Link | null;
}

/**
 * Finds chains, and joins chains of the same endpoints into walks. If a request waited for several others, its
 * predecessor is the one that ended last. If several requests waited for the same request, the chain continues with the
 * one whose chain ends last.
 *
 *     a → b → d        b and c wait for a: the chain is a b d, and c e is another
 *       ↘ c → e
 *
 * `facts`: in any order. Returns proven walks first, then the others; both sorted by total time, the longest first.
 */
export function walksOf(
  facts: readonly ExchangeFacts[],
  { links, longPolls }: Pick<FoundLinks, "links" | "longPolls">,
): WalksFound {
  const nodes = nodesOf(facts);
  const busy = busyTimesOf(nodes.filter((one) => one.isWaitedFor && !longPolls.has(one.id)));
  join(nodes, links, busy);
  const walks = new Map<string, Occurrence[]>();
  for (const node of nodes) {
    // Begins a chain only at a request that does not continue the chain of its predecessor.
    if (node.next === null || node.before?.node.next === node) continue;
    const occurrence = occurrenceFrom(node, busy);
    const key = occurrence.steps.map(({ endpoint }) => endpointKeyOf(endpoint)).join("\n");
    const known = walks.get(key);
    if (known === undefined) walks.set(key, [occurrence]);
    else known.push(occurrence);
  }
  const listed = listedOf([...walks.values()]);
  return { walks: listed.map(({ walk }) => walk), positions: positionsOf(listed) };
}

interface Listed {
  readonly occurrences: readonly Occurrence[];
  readonly walk: Walk;
}

function listedOf(walks: readonly (readonly Occurrence[])[]): readonly Listed[] {
  const all: (Listed & { readonly total: Milliseconds })[] = [];
  for (const occurrences of walks) {
    all.push({ occurrences, walk: walkOf(occurrences), total: totalOf(occurrences) });
  }
  all.sort(
    (one, other) =>
      Number(other.walk.isProven) - Number(one.walk.isProven) ||
      other.total - one.total ||
      one.walk.first - other.walk.first,
  );
  return all.slice(0, MOST_WALKS);
}

function positionsOf(listed: readonly Listed[]): WalksFound["positions"] {
  const positions = new Map<ExchangeId, WalkPosition>();
  for (const [walk, { occurrences }] of listed.entries())
    for (const { steps, links } of occurrences) {
      for (const [index, { id }] of steps.entries()) positions.set(id, { walk, link: links[index - 1] ?? null });
    }
  return positions;
}

interface Node {
  readonly id: ExchangeId;
  readonly client: string;
  readonly endpoint: ExchangeFacts["endpoint"];
  readonly start: Instant;
  readonly end: Instant;
  /** The result of `isWaitedFor` (`interval.ts`) for this exchange. */
  readonly isWaitedFor: boolean;
  before: { readonly node: Node; readonly link: Link } | null;
  /** The request that continues the chain after this one; `null` if the chain ends here. */
  next: Node | null;
  /** The latest end of all chains through this request. */
  last: Instant;
}

/** The exchanges by start, not linked yet. */
function nodesOf(facts: readonly ExchangeFacts[]): readonly Node[] {
  const nodes = facts.map((one): Node => {
    const { id, client, instants, endTime } = one.exchange;
    const { startTime: start } = instants;
    const end = instants.responseEnd ?? endTime ?? start;
    const own = { id, client, endpoint: one.endpoint, start, end, isWaitedFor: isWaitedFor(one.exchange) };
    return { ...own, before: null, next: null, last: end };
  });
  return nodes.sort((one, other) => one.start - other.start);
}

/** Links the nodes, which are sorted by start, into chains. */
function join(byStart: readonly Node[], links: readonly Link[], busy: BusyTimes): void {
  const nodes = new Map(byStart.map((node) => [node.id, node]));
  for (const link of links) {
    const [from, to] = [nodes.get(link.from), nodes.get(link.to)];
    if (from === undefined || to === undefined || link.basis === "trace") continue;
    if (busy.isPersonsGap(to.client, to.start - link.gap, to.start)) continue;
    if (to.before === null || from.end > to.before.node.end) to.before = { node: from, link };
  }
  // Later starts come first, so that a request's successors are computed before it.
  for (const node of byStart.toReversed()) {
    const before = node.before?.node;
    if (before === undefined || (before.next !== null && before.next.last >= node.last)) continue;
    before.next = node;
    before.last = Math.max(before.end, node.last) as Instant;
  }
}

function occurrenceFrom(first: Node, busy: BusyTimes): Occurrence {
  const steps: WalkStep[] = [];
  const links: Link[] = [];
  let end = first.end;
  let clientTime = 0;
  let retryAfterTime = 0;
  for (let node: Node | null = first; node !== null; node = node.next) {
    const { id, endpoint, start } = node;
    steps.push({ id, endpoint, start, end: node.end });
    if (node !== first && node.before !== null) {
      const { node: before, link } = node.before;
      links.push(link);
      if (link.evidence.source === "retry-after") retryAfterTime += Math.max(0, link.gap);
      else clientTime += busy.idleBetween(node.client, before.end, start);
    }
    if (node.end > end) end = node.end;
  }
  return { client: first.client, duration: end - first.start, clientTime, retryAfterTime, steps, links };
}

function walkOf(occurrences: readonly Occurrence[]): Walk {
  const sorted = occurrences.toSorted((one, other) => one.duration - other.duration);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  const longest = sorted.at(-1) as Occurrence;
  const [earliest = longest] = occurrences;
  return Object.freeze({
    count: occurrences.length,
    median: ((low?.duration ?? 0) + (high?.duration ?? 0)) / 2,
    longest,
    first: (earliest.steps[0] as WalkStep).id,
    isProven: longest.links.every(({ kind }) => kind === "proven"),
    couldSave: savingOf(longest),
  });
}

/**
 * The most that running requests in parallel would save. Sums up the runs of at least `WORTH_LINKS` order links: the
 * duration of each run, less that of its longest request. `null` if there is no such run.
 */
function savingOf({ steps, links }: Occurrence): Milliseconds | null {
  let saved: Milliseconds | null = null;
  for (let first = 0; first < links.length; first += 1) {
    let last = first;
    while (isWeighty(links[last], steps[last + 1])) last += 1;
    if (last - first >= WORTH_LINKS) saved = (saved ?? 0) + savedIn(steps.slice(first, last + 1));
    first = last;
  }
  return saved;
}

function isWeighty(link: Link | undefined, to: WalkStep | undefined): boolean {
  return link?.kind === "sequential" && to !== undefined && to.end - to.start >= WORTH_LENGTH;
}

function savedIn(run: readonly WalkStep[]): Milliseconds {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return Math.max(0, last.end - first.start - largestOf(run.map(({ start, end }) => end - start)));
}

function totalOf(occurrences: readonly Occurrence[]): Milliseconds {
  return occurrences.reduce((sum, { duration }) => sum + duration, 0);
}
