import { evictOldest } from "../../model/evict-oldest.ts";
import type { Milliseconds } from "../../model/units.ts";
import { apart } from "../facts/field-pool.ts";
import { evidenceOf } from "./link.ts";
import type { Moment } from "./moment.ts";
import type { Dependency } from "./prover.ts";
import type { Use } from "./used-values.ts";

/** A value that a response gave its client. */
export interface OfferedValue {
  readonly value: string;
  readonly source: string;
  readonly name: string | null;
}

/**
 * Largest number of values remembered for all clients together (the newest of each), and the minimum for one client.
 * Defaults; not from a specification.
 */
const MOST_VALUES = 150_000;
const LEAST_OF_ONE = 1_000;

/** docs/specification.md, Dependency chain, "given by few responses". Defaults; not from a specification. */
const MOST_GIVERS = 3;
/**
 * A value from at least this many endpoints belongs to the session, not to an endpoint. Default; not from a
 * specification.
 */
const COMMON_ENDPOINTS = 4;
/** A value in all of at least this many responses of an endpoint is a constant. Default; not from a specification. */
const CONSTANT_FROM = 3;

interface Giver {
  readonly moment: Moment;
  readonly source: string;
  readonly name: string | null;
}

/** The history of a value that a client was given. Most values are given once and never used. */
interface Known {
  readonly first: Giver;
  /** Further responses that gave it before its first use, at most one more than allowed; `null`: none. */
  more: Giver[] | null;
  /** How many responses of each endpoint gave it, before and after its first use; `null` if only `first` did. */
  endpoints: Map<number, number> | null;
  /** The time until which further uses count as the first: requests sent together wait for the same response. */
  usedUntil: number | null;
}

/** The response that first gave a client a value, and the first request of that client that used it. */
export class KnownValues {
  /** By client and value. */
  readonly #known = new Map<number, Map<string, Known>>();
  /** Responses by client and endpoint. */
  readonly #responses = new Map<number, number>();
  readonly #window: Milliseconds;

  /** `window`: how long after the first use further uses count as part of it. */
  constructor(window: Milliseconds) {
    this.#window = window;
  }

  /** Counts an ended response, for the share of responses that gave a value. */
  count({ client, endpoint }: Moment): void {
    const key = keyOf(client, endpoint);
    this.#responses.set(key, (this.#responses.get(key) ?? 0) + 1);
  }

  /** The client must not have sent the value before it was first given. */
  give(moment: Moment, { source, name, value }: OfferedValue): void {
    const own = this.#known.get(moment.client) ?? new Map<string, Known>();
    const giver = { moment, source, name: name === null ? null : apart(name) };
    const known = own.get(value);
    if (known !== undefined) return giveAgain(known, giver);
    // Copied, so that the text which contains it is not kept alive.
    own.set(apart(value), { first: giver, more: null, endpoints: null, usedUntil: null });
    this.#known.set(moment.client, own);
    evictOldest(own, Math.max(LEAST_OF_ONE, Math.floor(MOST_VALUES / this.#known.size)));
  }

  /** Whether the client was given the value, used or not. */
  has(client: number, value: string): boolean {
    return this.#known.get(client)?.has(value) ?? false;
  }

  /** A request uses a value: returns the response that it depends on, if any. */
  use(moment: Moment, value: string, use: Use): readonly Dependency[] {
    const known = this.#known.get(moment.client)?.get(value);
    if (known === undefined) return NONE;
    const isFirst = known.usedUntil === null;
    if (!isFirst && moment.start >= (known.usedUntil ?? 0)) return NONE;
    if (isFirst) known.usedUntil = moment.lasts ? moment.start + this.#window : moment.end;
    const { first, more } = known;
    if (more !== null && more.length >= MOST_GIVERS) return NONE;
    // A repeated endpoint gives its values again, so the latest response of the first endpoint counts.
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

  /** Evaluated at the session's end. A cookie that is set repeatedly to the same value is still one value. */
  #isRare(client: number, source: string, { endpoints }: Known): boolean {
    if (source === "set-cookie" || endpoints === null) return true;
    if (endpoints.size >= COMMON_ENDPOINTS) return false;
    for (const [endpoint, count] of endpoints)
      if (count >= CONSTANT_FROM && count >= (this.#responses.get(keyOf(client, endpoint)) ?? 0)) return false;
    return true;
  }
}

/** One number for both; there are fewer than 2^26 endpoints. */
function keyOf(client: number, endpoint: number): number {
  return client * 2 ** 26 + endpoint;
}

function giveAgain(known: Known, giver: Giver): void {
  const { endpoint } = giver.moment;
  known.endpoints ??= new Map([[known.first.moment.endpoint, 1]]);
  known.endpoints.set(endpoint, (known.endpoints.get(endpoint) ?? 0) + 1);
  if (known.usedUntil !== null) return;
  known.more ??= [];
  if (known.more.length < MOST_GIVERS) known.more.push(giver);
}

/** A number that is not an id in the response must be one in the request. */
function isTelling(value: string, name: string | null, use: Use): boolean {
  return !/^-?\d+$/.test(value) || use === "id" || /(?:id|no|number|code|key|token)s?$/i.test(name ?? "");
}

const NONE: readonly Dependency[] = Object.freeze([]);
