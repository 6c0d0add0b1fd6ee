import type { Chain, ChainEdge, Evidence } from "../model/findings.ts";
import type { Slices } from "../model/slices.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import { Heap } from "./heap.ts";
import type { Interval } from "./interval.ts";

/** Captured values are shown, not kept: our choice of how much of one. */
const LONGEST_EVIDENCE = 200;

/** Our choice: links of one slice of work, a few milliseconds. */
const LINKS_AT_ONCE = 50_000;

/** No predecessor. */
const NONE = -1;

/**
 * Which exchange follows which. Each has at most one predecessor, which was added before it, so they form trees; a link is
 * known by its place in the order of adding. Columns, not objects: there may be a million.
 */
export class ChainForest {
  readonly #ids: ExchangeId[] = [];
  readonly #clients: string[] = [];
  readonly #starts: Instant[] = [];
  readonly #ends: Instant[] = [];
  readonly #previous: number[] = [];
  readonly #lengths: number[] = [];
  readonly #proofs = new Map<number, Evidence>();

  /** Adds an exchange after the link `previous`; `proof` tells why, if anything does. */
  add({ id, client, start, end }: Interval, previous: number | null, proof: Evidence | null): number {
    const link = this.#ids.length;
    this.#ids.push(id);
    this.#clients.push(client);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#previous.push(previous ?? NONE);
    this.#lengths.push(previous === null ? 1 : this.lengthOf(previous) + 1);
    if (proof !== null) this.#proofs.set(link, proof);
    return link;
  }

  startOf(link: number): Instant {
    return this.#starts[link] as Instant;
  }

  endOf(link: number): Instant {
    return this.#ends[link] as Instant;
  }

  /** Exchanges from the first of its chain to this one. */
  lengthOf(link: number): number {
    return this.#lengths[link] ?? 1;
  }

  /** decisions.md: the longer chain wins, then the earlier id. */
  isBetter(left: number, right: number): boolean {
    const more = this.lengthOf(left) - this.lengthOf(right);
    return more > 0 || (more === 0 && this.#idOf(left) < this.#idOf(right));
  }

  /**
   * The `count` chains of longest duration, no exchange in two. At a fork the chain goes on to where the latest end is
   * reached; what remains of the tree begins chains of its own. O(n), and O(log count) for each that is kept; a slice of
   * the work with each step. Nothing may be added before it is through.
   */
  *longest(count: number): Slices<readonly Chain[]> {
    const last = yield* this.#lastLinks();
    const kept = new Heap<Path>((left, right) => isShorter(left, right));
    for (let head = 0, size = 0; head < last.length; head += 1) {
      if (head % LINKS_AT_ONCE === 0) yield;
      const tail = last[head] ?? head;
      const before = this.#previous[head] ?? NONE;
      if (tail === head || (before !== NONE && last[before] === tail)) continue;
      kept.push({ head, tail, duration: this.endOf(tail) - this.startOf(head), id: this.#idOf(head) });
      size += 1;
      if (size > count) kept.pop();
    }
    const chains: Chain[] = [];
    for (let path = kept.pop(); path !== null; path = kept.pop()) chains.push(yield* this.#chainOf(path));
    return Object.freeze(chains.reverse());
  }

  /** For each link where its chain ends: itself, or of its followers' ends the latest, then of the longest chain, then the earliest id. */
  *#lastLinks(): Slices<Int32Array> {
    const last = new Int32Array(this.#ids.length).fill(NONE);
    for (let link = last.length - 1; link >= 0; link -= 1) {
      if (link % LINKS_AT_ONCE === 0) yield;
      if (last[link] === NONE) last[link] = link;
      const own = last[link] as number;
      const before = this.#previous[link] as number;
      if (before === NONE) continue;
      const other = last[before] as number;
      if (other === NONE || this.#endsLater(own, other)) last[before] = own;
    }
    return last;
  }

  #endsLater(left: number, right: number): boolean {
    const later = this.endOf(left) - this.endOf(right);
    return later > 0 || (later === 0 && this.isBetter(left, right));
  }

  *#chainOf({ head, tail, duration }: Path): Slices<Chain> {
    const links: number[] = [];
    for (let link = tail; link !== head; link = this.#previous[link] as number) links.push(link);
    links.push(head);
    links.reverse();
    // Not frozen one by one: there may be hundreds of thousands.
    const steps: ChainStep[] = [];
    const edges: ChainEdge[] = [];
    for (const [place, link] of links.entries()) {
      if (place % LINKS_AT_ONCE === 0) yield;
      steps.push({ id: this.#idOf(link), start: this.startOf(link), end: this.endOf(link) });
      if (place > 0) edges.push(this.#edgeTo(link));
    }
    const client = this.#clients[head] ?? "";
    return Object.freeze({ duration, client, steps, edges, couldSave: savingOf(duration, steps, edges) });
  }

  #edgeTo(link: number): ChainEdge {
    const before = this.#previous[link] as number;
    const proof = this.#proofs.get(link) ?? null;
    const evidence = proof === null ? null : { ...proof, value: proof.value.slice(0, LONGEST_EVIDENCE) };
    const gap = this.startOf(link) - this.endOf(before);
    const kind = proof === null ? "sequential" : "proven";
    return { from: this.#idOf(before), to: this.#idOf(link), gap, kind, evidence };
  }

  #idOf(link: number): ExchangeId {
    return this.#ids[link] as ExchangeId;
  }
}

type ChainStep = Chain["steps"][number];

interface Path {
  readonly head: number;
  readonly tail: number;
  readonly duration: Milliseconds;
  readonly id: ExchangeId;
}

function isShorter(left: Path, right: Path): boolean {
  return left.duration < right.duration || (left.duration === right.duration && left.id > right.id);
}

/** Proven edges tie exchanges to one block; at best all blocks run at once, and the longest decides. */
function savingOf(duration: Milliseconds, steps: Chain["steps"], edges: readonly ChainEdge[]): Milliseconds | null {
  if (edges.every(({ kind }) => kind === "proven")) return null;
  let longest = 0;
  let from = steps[0]?.start ?? 0;
  for (const [index, { start, end }] of steps.entries()) {
    if (edges[index - 1]?.kind === "sequential") from = start;
    longest = Math.max(longest, end - from);
  }
  return Math.max(0, duration - longest);
}
