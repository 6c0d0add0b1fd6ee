import { evictOldest } from "../../model/evict-oldest.ts";
import type { Milliseconds } from "../../model/units.ts";
import { apart } from "../facts/field-pool.ts";
import { evidenceOf } from "./link.ts";
import type { Moment } from "./moment.ts";
import type { Dependency } from "./prover.ts";
import type { Use } from "./used-values.ts";

/** Something that a response gave its client. */
export interface OfferedValue {
  readonly value: string;
  readonly source: string;
  readonly name: string | null;
}

/** Our choices: values of all clients together that are remembered, the newest of each, and of one client at least. */
const MOST_VALUES = 150_000;
const LEAST_OF_ONE = 1_000;

/** docs/specification.md, Dependency chain, "given by few responses". Defaults; not from a specification. */
const MOST_GIVERS = 3;
/** From so many endpoints on a value belongs to the session rather than to one of them. */
const COMMON_ENDPOINTS = 4;
/** Of so many responses of an endpoint all give it: it is a constant. */
const CONSTANT_FROM = 3;

interface Giver {
  readonly moment: Moment;
  readonly source: string;
  readonly name: string | null;
}

/** What is known of a value that a client was given. Most values are given once and never used. */
interface Known {
  readonly first: Giver;
  /** Further responses that gave it before it was used, at most one more than may; `null`: none. */
  more: Giver[] | null;
  /** How many responses of each endpoint gave it, also later; `null`: one of the first's. */
  endpoints: Map<number, number> | null;
  /** Until when further uses are part of the first: what is sent at once waits for the same response. */
  usedUntil: number | null;
}

/** Which response gave a client which value first, and when a request of that client first used it. */
export class KnownValues {
  /** By client and value. */
  readonly #known = new Map<number, Map<string, Known>>();
  /** Responses by client and endpoint. */
  readonly #responses = new Map<string, number>();
  readonly #window: Milliseconds;

  /** `window`: how long a use that lasts counts as the first. */
  constructor(window: Milliseconds) {
    this.#window = window;
  }

  /** A response has ended: for the share of those that gave a value. */
  count({ client, endpoint }: Moment): void {
    const key = `${client} ${endpoint}`;
    this.#responses.set(key, (this.#responses.get(key) ?? 0) + 1);
  }

  /** The client must not have sent it before it was first given. */
  give(moment: Moment, { source, name, value }: OfferedValue): void {
    const own = this.#known.get(moment.client) ?? new Map<string, Known>();
    const giver = { moment, source, name: name === null ? null : apart(name) };
    const known = own.get(value);
    if (known !== undefined) return giveAgain(known, giver);
    // What it was found in is not kept for it.
    own.set(apart(value), { first: giver, more: null, endpoints: null, usedUntil: null });
    this.#known.set(moment.client, own);
    evictOldest(own, Math.max(LEAST_OF_ONE, Math.floor(MOST_VALUES / this.#known.size)));
  }

  /** Whether the client was given it, used or not. */
  has(client: number, value: string): boolean {
    return this.#known.get(client)?.has(value) ?? false;
  }

  /** A request uses a value: on which response it depends, if any. */
  use(moment: Moment, value: string, use: Use): readonly Dependency[] {
    const known = this.#known.get(moment.client)?.get(value);
    if (known === undefined) return NONE;
    const isFirst = known.usedUntil === null;
    if (!isFirst && moment.start >= (known.usedUntil ?? 0)) return NONE;
    if (isFirst) known.usedUntil = moment.lasts ? moment.start + this.#window : moment.end;
    const { first, more } = known;
    if (more !== null && more.length >= MOST_GIVERS) return NONE;
    // Asked for again, an endpoint gives its values anew: the latest of the endpoint that gave it first.
    const latest = more?.findLast(
      ({ moment: given }) => given.endpoint === first.moment.endpoint && given.start < moment.start,
    );
    const giver = latest ?? (first.moment.start < moment.start ? first : undefined);
    if (giver === undefined || !isTelling(value, giver.name, use)) return NONE;
    const { source, name } = giver;
    return [
      {
        from: giver.moment.place,
        evidence: evidenceOf(source, name, value),
        holds: () => this.#isRare(moment.client, source, known),
      },
    ];
  }

  /** Seen from the end of the session. A cookie that is set to the same value again and again is still one. */
  #isRare(client: number, source: string, { endpoints }: Known): boolean {
    if (source === "set-cookie" || endpoints === null) return true;
    if (endpoints.size >= COMMON_ENDPOINTS) return false;
    for (const [endpoint, count] of endpoints)
      if (count >= CONSTANT_FROM && count >= (this.#responses.get(`${client} ${endpoint}`) ?? 0)) return false;
    return true;
  }
}

function giveAgain(known: Known, giver: Giver): void {
  const { endpoint } = giver.moment;
  known.endpoints ??= new Map([[known.first.moment.endpoint, 1]]);
  known.endpoints.set(endpoint, (known.endpoints.get(endpoint) ?? 0) + 1);
  if (known.usedUntil !== null) return;
  known.more ??= [];
  if (known.more.length < MOST_GIVERS) known.more.push(giver);
}

/** A number that names nothing where it was given must name something where it is used. */
function isTelling(value: string, name: string | null, use: Use): boolean {
  return !/^-?\d+$/.test(value) || use === "id" || /(?:id|no|number|code|key|token)s?$/i.test(name ?? "");
}

const NONE: readonly Dependency[] = Object.freeze([]);
