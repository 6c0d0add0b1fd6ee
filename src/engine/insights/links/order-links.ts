import { pathOf } from "../../model/endpoint.ts";
import type { Link } from "../../model/link.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import { userMarksOf } from "../users.ts";
import { evidenceOf } from "./link-evidence.ts";
import type { LinkableExchange } from "./linkable-exchange.ts";
import { BY_THE_BROWSER } from "./load-memory.ts";
import { fileOf } from "./named-urls.ts";

/**
 * `MOST_PREDECESSORS`: the most predecessors of a request. `MOST_COMPARED`: the most ended requests that are searched
 * for them. `MOST_PAIRS`: the most overlapping pairs of endpoints remembered.
 */
const MOST_PREDECESSORS = 8;
const MOST_COMPARED = 64;
const MOST_PAIRS = 1_000_000;

/**
 * A predecessor seen at least `USUAL_FROM` times is the usual one. Another predecessor is chance if it was seen less
 * than `BY_CHANCE` times as often.
 */
const USUAL_FROM = 3;
const BY_CHANCE = 0.5;

/** Order links, and order links that were refuted because requests to their two endpoints also ran at the same time. */
export interface Ordered {
  readonly links: readonly Link[];
  readonly refuted: readonly Link[];
}

interface Step {
  readonly from: LinkableExchange;
  readonly to: LinkableExchange;
}

/**
 * Finds requests that start right after a response of the same client has ended. Of several responses, the last to end
 * counts:
 *
 *     a  ├────┤
 *     b  ├──────────┤
 *     c               ├──┤      b → c, unless requests like b and c overlap elsewhere
 */
export class OrderLinks {
  readonly #window: Milliseconds;
  /** The latest ended requests by client, in the order of their ends. */
  readonly #ended = new Map<number, LinkableExchange[]>();
  /** By client, the number of running requests of each endpoint. */
  readonly #running = new Map<number, Map<number, number>>();
  /** By endpoint, the endpoints whose requests ran at the same time. */
  readonly #overlapped = new Map<number, Set<number>>();
  #pairs = 0;
  readonly #steps: { readonly to: LinkableExchange; readonly predecessors: readonly LinkableExchange[] }[] = [];
  readonly #requests = new Map<number, number>();
  readonly #users = new InterleavedUsers();

  /**
   * `window`: the longest time from the end of the earlier request to the start of the later one
   * (docs/specification.md, Dependency chain; a setting).
   */
  constructor(window: Milliseconds) {
    this.#window = window;
  }

  started(linkable: LinkableExchange): void {
    if (linkable.lasts) return;
    const { client, endpoint } = linkable;
    this.#users.see(linkable);
    this.#requests.set(endpoint, (this.#requests.get(endpoint) ?? 0) + 1);
    const running = this.#running.get(client) ?? new Map<number, number>();
    this.#running.set(client, running);
    const overlapped = this.#overlappedBy(endpoint);
    for (const other of running.keys()) if (!overlapped.has(other)) this.#overlap(endpoint, other);
    running.set(endpoint, (running.get(endpoint) ?? 0) + 1);
    const predecessors = this.#before(linkable);
    // A copy, since a list that grew has unused capacity.
    if (predecessors.length > 0) this.#steps.push({ to: linkable, predecessors: predecessors.slice() });
  }

  ended(linkable: LinkableExchange): void {
    if (linkable.lasts) return;
    const { client, endpoint } = linkable;
    const running = this.#running.get(client);
    const left = (running?.get(endpoint) ?? 1) - 1;
    if (left > 0) running?.set(endpoint, left);
    else running?.delete(endpoint);
    if (!mayBeWaitedFor(linkable)) return;
    const ended = this.#ended.get(client) ?? [];
    this.#ended.set(client, ended);
    ended.push(linkable);
    if (ended.length >= 2 * MOST_COMPARED) ended.splice(0, MOST_COMPARED);
  }

  /** The order links, at most one to each exchange. `longPolls`: the exchanges without one. */
  links(longPolls: ReadonlySet<ExchangeId>): Ordered {
    const chosen: Step[] = [];
    const refuted: Step[] = [];
    let times: StepCounts | null = null;
    const timesBefore = () => {
      times ??= this.#timesBefore();
      return times;
    };
    for (const { to, predecessors } of this.#steps) {
      if (longPolls.has(idOf(to))) continue;
      const overlapped = this.#overlapped.get(to.endpoint);
      const possible = predecessors.filter((one) => !longPolls.has(idOf(one)) && !this.#users.areTwo(one, to));
      const standing = possible.filter(({ endpoint }) => overlapped?.has(endpoint) !== true);
      const from = standing.find((one) => !standing.some((other) => isByChance(one, other, to, timesBefore)));
      if (from !== undefined) chosen.push({ from, to });
      else if (possible[0] !== undefined) refuted.push({ from: possible[0], to });
    }
    return { links: this.#linked(chosen), refuted: this.#linked(refuted) };
  }

  #overlap(one: number, other: number): void {
    if (this.#pairs >= MOST_PAIRS) return;
    this.#pairs += 1;
    this.#overlappedBy(one).add(other);
    this.#overlappedBy(other).add(one);
  }

  #overlappedBy(endpoint: number): Set<number> {
    let own = this.#overlapped.get(endpoint);
    if (own === undefined) {
      own = new Set();
      this.#overlapped.set(endpoint, own);
    }
    return own;
  }

  /** Requests that ended within the window before this request began, the latest end first. */
  #before({ client, start }: LinkableExchange): readonly LinkableExchange[] {
    const ended = this.#ended.get(client);
    if (ended === undefined) return NONE;
    const found: LinkableExchange[] = [];
    for (let at = ended.length - 1; at >= 0 && ended.length - at <= MOST_COMPARED; at -= 1) {
      const one = ended[at] as LinkableExchange;
      const last = found[MOST_PREDECESSORS - 1];
      // Those before it became ready earlier, and none ends more than 1 ms after it is ready (`readyOf`).
      if (one.ready < start - this.#window - 1 || (last !== undefined && one.ready + 1 < last.end)) break;
      if (one.start >= start || one.ready > start || start > one.end + this.#window) continue;
      found.push(one);
      for (let index = found.length - 1; index > 0 && isLater(one, found[index - 1] as LinkableExchange); index -= 1)
        [found[index - 1], found[index]] = [one, found[index - 1] as LinkableExchange];
      if (found.length > MOST_PREDECESSORS) found.pop();
    }
    return found;
  }

  /**
   * For each pair of endpoints, how often a request of the first ended within the window before a request of the second
   * began.
   */
  #timesBefore(): StepCounts {
    const times = new StepCounts();
    for (const { to, predecessors } of this.#steps)
      for (const [index, from] of predecessors.entries())
        if (predecessors.findIndex(({ endpoint }) => endpoint === from.endpoint) === index) times.add(from, to);
    return times;
  }

  #linked(steps: readonly Step[]): readonly Link[] {
    const counts = new StepCounts();
    for (const { from, to } of steps) counts.add(from, to);
    const links: Link[] = [];
    for (const { from, to } of steps) {
      const times = `${counts.of(from, to)} of ${this.#requests.get(to.endpoint) ?? 1}`;
      links.push({
        from: idOf(from),
        to: idOf(to),
        kind: "sequential",
        basis: "order",
        gap: to.start - from.end,
        evidence: evidenceOf("order", null, times),
      });
    }
    return links;
  }
}

const NONE: readonly LinkableExchange[] = Object.freeze([]);

function isLater(one: LinkableExchange, other: LinkableExchange): boolean {
  return one.end > other.end || (one.end === other.end && one.start > other.start);
}

/**
 * Whether `one`, such as a poll, ended before `to` only by chance. It did if `one` started before `other` had ended,
 * and if the endpoint of `to` follows that of `other` far more often than that of `one`.
 */
function isByChance(
  one: LinkableExchange,
  other: LinkableExchange,
  to: LinkableExchange,
  times: () => StepCounts,
): boolean {
  if (one === other || one.start >= other.ready) return false;
  const usual = times().of(other, to);
  return usual >= USUAL_FROM && times().of(one, to) < usual * BY_CHANCE;
}

/**
 * Whether a later request may have waited for this one. No request waits for a preflight, for a request that its client
 * aborted, or for a file that a browser requests by itself.
 */
function mayBeWaitedFor({ facts: { exchange } }: LinkableExchange): boolean {
  const { method, target, outcome } = exchange;
  if (method === "OPTIONS" || fileOf(pathOf(target)) === BY_THE_BROWSER) return false;
  return !(outcome?.kind === "failed" && outcome.errorType === "client-aborted");
}

function idOf({ facts }: LinkableExchange): ExchangeId {
  return facts.exchange.id;
}

/** How often requests of one endpoint came before requests of another. */
class StepCounts {
  /** By the later endpoint, then by the earlier one. */
  readonly #counts = new Map<number, Map<number, number>>();

  add(from: LinkableExchange, to: LinkableExchange): void {
    let own = this.#counts.get(to.endpoint);
    if (own === undefined) {
      own = new Map();
      this.#counts.set(to.endpoint, own);
    }
    own.set(from.endpoint, (own.get(from.endpoint) ?? 0) + 1);
  }

  of(from: LinkableExchange, to: LinkableExchange): number {
    return this.#counts.get(to.endpoint)?.get(from.endpoint) ?? 0;
  }
}

/** The values that identify a request's user, as numbers by the name of their field, client and origin. */
type Marks = ReadonlyMap<number, number>;

/** The most fields and values remembered. */
const MOST_TEXTS = 200_000;

/**
 * Tells whether two requests of one client come from different users behind it: the same field has two values, and both
 * were sent in turn. A value that replaces another, such as a renewed session, comes only after it.
 */
class InterleavedUsers {
  readonly #numbers = new Map<string, number>();
  /** By value, the places of the first and the last request that sent it. */
  readonly #spans: { readonly first: number; last: number }[] = [];
  /** By the request's index. */
  readonly #marks = new Map<number, Marks>();

  /** Notes a request. Requests must be given by start. */
  see({ index, client, facts: { exchange, requestFields } }: LinkableExchange): void {
    const found = userMarksOf(requestFields);
    if (found.length === 0) return;
    const marks = new Map<number, number>();
    for (const { name, value } of found) {
      const field = this.#numberOf(`${client} ${exchange.origin} ${name}`, index);
      const own = this.#numberOf(`${client} ${exchange.origin} ${name}\n${value}`, index);
      if (field === null || own === null) continue;
      const span = this.#spans[own];
      if (span !== undefined) span.last = index;
      marks.set(field, own);
    }
    this.#marks.set(index, marks);
  }

  areTwo(one: LinkableExchange, other: LinkableExchange): boolean {
    for (const [field, value] of this.#marks.get(one.index) ?? []) {
      const its = this.#marks.get(other.index)?.get(field);
      if (its !== undefined && its !== value && this.#overlap(value, its)) return true;
    }
    return false;
  }

  #overlap(value: number, other: number): boolean {
    const [one, two] = [this.#spans[value], this.#spans[other]];
    return one !== undefined && two !== undefined && one.first < two.last && two.first < one.last;
  }

  #numberOf(text: string, index: number): number | null {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    if (this.#numbers.size >= MOST_TEXTS) return null;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#spans.push({ first: index, last: index });
    return number;
  }
}
