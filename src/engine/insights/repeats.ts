import { pathOf } from "../model/endpoint.ts";
import { type Exchange, hasOneOf, statusOf, UNCOUNTED_TAGS } from "../model/exchange.ts";
import type { Repeat } from "../model/findings.ts";
import type { ExchangeId, Milliseconds } from "../model/units.ts";
import { templateOf } from "./path-template.ts";

/** decisions.md, Repeats: so many requests of one template with different literals within a second. */
const SIBLINGS = 5;
const SIBLINGS_WITHIN: Milliseconds = 1_000;

/** decisions.md, Repeats: the same request again within 10 s. */
const AGAIN_WITHIN: Milliseconds = 10_000;

/** Our choice: so many templates and URLs are remembered before those that are over are let go. */
const FIRST_LIMIT = 4_096;

/** Tells request bodies apart: equal keys, equal bodies; `null` where a body is not known whole. */
export type BodyKey = (exchange: Exchange) => string | null;

/** N+1 patterns and duplicates, in a sweep over exchanges that come by start. Holds only what the last 10 s can still touch. */
export class RepeatSweep {
  readonly #bodyKey: BodyKey;
  readonly #siblings = new Map<string, Siblings>();
  readonly #twins = new Map<string, Twins>();
  readonly #found: { readonly start: number; readonly repeat: Repeat }[] = [];
  readonly #firstLimit: number;
  #limit: number;

  constructor(bodyKey: BodyKey, firstLimit = FIRST_LIMIT) {
    this.#bodyKey = bodyKey;
    this.#firstLimit = firstLimit;
    this.#limit = firstLimit;
  }

  take(exchange: Exchange): void {
    const { client, method, origin, target, tags, outcome } = exchange;
    if (hasOneOf(tags, UNCOUNTED_TAGS)) return;
    const path = pathOf(target);
    const template = templateOf(path);
    if (template !== path) this.#takeSibling(`${client}\n${method} ${origin}${template}`, path, exchange);
    // What one in flight has sent is told with its end.
    const body = outcome !== null && exchange.requestBodySize === 0 ? "" : this.#bodyKey(exchange);
    if (body !== null) this.#takeTwin(`${client}\n${method} ${origin}${target}\n${body}`, exchange);
    if (this.#siblings.size + this.#twins.size > this.#limit) this.#letGo(exchange.instants.startTime);
  }

  /** To be told when all were taken: what was found, by first start. */
  end(): readonly Repeat[] {
    this.#letGo(Number.POSITIVE_INFINITY);
    return Object.freeze(this.#found.sort((left, right) => left.start - right.start).map(({ repeat }) => repeat));
  }

  /** A run is made of requests of which each lies in a second that holds 5 different literals. */
  #takeSibling(key: string, literal: string, { id, instants }: Exchange): void {
    const start = instants.startTime;
    let siblings = this.#siblings.get(key);
    if (siblings === undefined) {
      siblings = { recent: [], literals: new Map(), run: null };
      this.#siblings.set(key, siblings);
    }
    const { recent, literals } = siblings;
    recent.push({ id, start, literal, inRun: false });
    literals.set(literal, (literals.get(literal) ?? 0) + 1);
    for (let oldest = recent[0]; oldest !== undefined && start - oldest.start > SIBLINGS_WITHIN; oldest = recent[0]) {
      recent.shift();
      const times = (literals.get(oldest.literal) ?? 0) - 1;
      if (times === 0) literals.delete(oldest.literal);
      else literals.set(oldest.literal, times);
    }
    if (literals.size < SIBLINGS) return;
    if (siblings.run !== null && recent[0]?.inRun !== true) this.#close(key, "n+1", siblings.run);
    if (recent[0]?.inRun !== true) siblings.run = { start: recent[0]?.start ?? start, exchanges: [] };
    let covered = recent.length;
    while (recent[covered - 1]?.inRun === false) covered -= 1;
    for (const one of recent.slice(covered)) {
      siblings.run?.exchanges.push(one.id);
      one.inRun = true;
    }
  }

  /** A run is made of requests of which each comes within 10 s of the one before and is no revalidation (304) of it. */
  #takeTwin(key: string, { id, instants, outcome }: Exchange): void {
    const start = instants.startTime;
    const twins = this.#twins.get(key);
    if (twins !== undefined && start - twins.last <= AGAIN_WITHIN && statusOf(outcome) !== 304) {
      twins.run.exchanges.push(id);
      twins.last = start;
      return;
    }
    if (twins !== undefined) this.#close(key, "duplicate", twins.run);
    this.#twins.set(key, { last: start, run: { start, exchanges: [id] } });
  }

  #letGo(now: number): void {
    for (const [key, { recent, run }] of this.#siblings) {
      if (now - (recent.at(-1)?.start ?? 0) <= SIBLINGS_WITHIN) continue;
      if (run !== null) this.#close(key, "n+1", run);
      this.#siblings.delete(key);
    }
    for (const [key, { last, run }] of this.#twins) {
      if (now - last <= AGAIN_WITHIN) continue;
      this.#close(key, "duplicate", run);
      this.#twins.delete(key);
    }
    this.#limit = Math.max(this.#firstLimit, 2 * (this.#siblings.size + this.#twins.size));
  }

  #close(key: string, kind: Repeat["kind"], { start, exchanges }: Run): void {
    if (exchanges.length < 2) return;
    const [client = "", template = ""] = key.split("\n");
    const repeat = Object.freeze({ kind, client, template, exchanges: Object.freeze(exchanges) });
    this.#found.push({ start, repeat });
  }
}

interface Run {
  readonly start: number;
  readonly exchanges: ExchangeId[];
}

/** Requests of one template. */
interface Siblings {
  /** Of the last second. */
  readonly recent: { readonly id: ExchangeId; readonly start: number; readonly literal: string; inRun: boolean }[];
  /** How often each literal is among them. */
  readonly literals: Map<string, number>;
  run: Run | null;
}

/** Requests that are the same. */
interface Twins {
  last: number;
  readonly run: Run;
}
