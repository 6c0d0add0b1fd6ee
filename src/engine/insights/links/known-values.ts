import { pathOf } from "../../model/endpoint.ts";
import { evictOldest } from "../../model/evict-oldest.ts";
import type { Milliseconds } from "../../model/units.ts";
import { apart } from "../facts/field-pool.ts";
import { memoized } from "../memoized.ts";
import { evidenceOf } from "./link-evidence.ts";
import type { Dependency } from "./link-prover.ts";
import type { LinkableExchange } from "./linkable-exchange.ts";
import type { Use } from "./used-values.ts";

/** A value that a response gave. */
export interface OfferedValue {
  readonly value: string;
  readonly source: string;
  readonly name: string | null;
}

/**
 * The most values remembered (`MOST_VALUES`). The scopes share them equally, but each may keep at least `LEAST_OF_ONE`.
 * A scope's oldest values are dropped first.
 */
const MOST_VALUES = 150_000;
const LEAST_OF_ONE = 1_000;

/**
 * A value that more responses than this gave before its first use proves nothing: "given by few responses"
 * (docs/specification.md, Dependency chain).
 */
const MOST_GIVERS = 3;
/** A value that at least this many endpoints gave belongs to the session, not to an endpoint. */
const COMMON_ENDPOINTS = 4;
/**
 * A value is a constant if all responses of an endpoint gave it, and there are at least this many. Successive responses
 * with the same body count as one, since a reload shows nothing new.
 */
const CONSTANT_FROM = 3;

interface Giver {
  readonly linkable: LinkableExchange;
  readonly source: string;
  readonly name: string | null;
}

/** The first giver of a value in a scope, and what came later. Most values are given once and never used. */
interface Known extends Giver {
  /** Further responses that gave the value before its first use, at most `MOST_GIVERS`; `null` if none did. */
  more: readonly Giver[] | null;
  /**
   * For each endpoint, the responses that gave the value, before and after its first use; `null` if only one did.
   * At most `COMMON_ENDPOINTS`, which are then no longer counted.
   */
  endpoints: readonly Responses[] | null;
  /**
   * Until this time, further uses count as first uses, since requests that run at the same time wait for the same
   * response. `null` before the first use.
   */
  usedUntil: number | null;
}

/** The values and responses of a client, or of one of its page loads. */
interface Scope {
  /** The known values by value. */
  readonly known: Map<string, Known>;
  /** All responses, by endpoint. */
  readonly responses: Map<number, Responses>;
}

/**
 * Remembers which responses gave which values, and until when a use of a value counts as its first use. Each scope, a
 * client (`LinkableExchange.client`) or one of its page loads (`LinkableExchange.scope`), is remembered by itself.
 */
export class KnownValues {
  readonly #scopes = new Map<number, Scope>();
  readonly #sent: SentValues;
  readonly #window: Milliseconds;

  /**
   * `sent`: what each scope has sent so far. `window`: if the first request to use a value is a stream, further uses
   * count as first uses for this long after its start.
   */
  constructor(sent: SentValues, window: Milliseconds) {
    this.#sent = sent;
    this.#window = window;
  }

  /** Counts an ended response. The count is needed for the share of responses that gave a value. */
  count(scope: number, linkable: LinkableExchange): void {
    const { responses } = this.#scopeOf(scope);
    const known = responses.get(linkable.endpoint);
    if (known === undefined) responses.set(linkable.endpoint, firstOf(linkable));
    else countAgain(known, linkable);
  }

  /**
   * Remembers in each scope that a response gave a value, unless the scope had sent it before the first response that
   * gave it.
   */
  give(scopes: readonly number[], linkable: LinkableExchange, { source, name, value }: OfferedValue): void {
    // The texts are copied, so that the one from which they were cut is not kept in memory.
    const own = apart(value);
    const giver = { linkable, source, name: name === null ? null : ownName(name) };
    for (const scope of scopes) {
      const known = this.#scopes.get(scope)?.known.get(value);
      if (known !== undefined) giveAgain(known, giver);
      else if (!this.#sent.has(scope, value)) this.#giveFirst(scope, own, giver);
    }
  }

  #giveFirst(scope: number, value: string, { linkable, source, name }: Giver): void {
    const { known } = this.#scopeOf(scope);
    known.set(value, { linkable, source, name, more: null, endpoints: null, usedUntil: null });
    evictOldest(known, Math.max(LEAST_OF_ONE, Math.floor(MOST_VALUES / this.#scopes.size)));
  }

  forget(scope: number): void {
    this.#scopes.delete(scope);
  }

  #scopeOf(number: number): Scope {
    let scope = this.#scopes.get(number);
    if (scope === undefined) {
      scope = { known: new Map(), responses: new Map() };
      this.#scopes.set(number, scope);
    }
    return scope;
  }

  /** Records that a request uses the value. Returns the dependency that the use shows; empty if it shows none. */
  use(scope: number, linkable: LinkableExchange, value: string, use: Use): readonly Dependency[] {
    const known = this.#scopes.get(scope)?.known.get(value);
    if (known === undefined) return NONE;
    const isFirst = known.usedUntil === null;
    if (!isFirst && linkable.start >= (known.usedUntil ?? 0)) return NONE;
    if (isFirst) known.usedUntil = linkable.lasts ? linkable.start + this.#window : linkable.end;
    const giver = giverOf(known, linkable);
    if (giver === null || !isTelling(value, giver.name, use)) return NONE;
    const { source, name } = giver;
    return [
      {
        from: giver.linkable.index,
        evidence: evidenceOf(source, name, apart(value)),
        holds: () => this.#isRare(scope, source, known),
      },
    ];
  }

  /**
   * Whether few endpoints gave the value, and none gave it as a constant; evaluated at the session's end. Cookies
   * always pass, since a server may set the same cookie again and again.
   */
  #isRare(scope: number, source: string, { endpoints }: Known): boolean {
    if (source === "set-cookie" || endpoints === null) return true;
    if (endpoints.length >= COMMON_ENDPOINTS) return false;
    for (const { endpoint, count } of endpoints)
      if (count >= CONSTANT_FROM && count >= (this.#scopes.get(scope)?.responses.get(endpoint)?.count ?? 0))
        return false;
    return true;
  }
}

/** The responses of one endpoint in one scope. Successive responses with the same body count as one. */
interface Responses {
  readonly endpoint: number;
  count: number;
  /** The hash of the latest body; `null` if it is not known. */
  hash: string | null;
}

function firstOf({ endpoint, facts }: LinkableExchange): Responses {
  return { endpoint, count: 1, hash: facts.responseBody.hash };
}

function countAgain(known: Responses, { facts }: LinkableExchange): void {
  const { hash } = facts.responseBody;
  if (hash === null || hash !== known.hash) known.count += 1;
  known.hash = hash;
}

/** One text for all members of a name. */
const ownName = memoized(apart);

function giveAgain(known: Known, giver: Giver): void {
  const { linkable } = giver;
  const endpoints = known.endpoints ?? [firstOf(known.linkable)];
  known.endpoints = endpoints;
  if (endpoints.length < COMMON_ENDPOINTS) {
    const own = endpoints.find(({ endpoint }) => endpoint === linkable.endpoint);
    // New lists, since one that grows has unused capacity.
    if (own === undefined) known.endpoints = [...endpoints, firstOf(linkable)];
    else countAgain(own, linkable);
  }
  const more = known.more ?? [];
  if (known.usedUntil === null && more.length < MOST_GIVERS) known.more = [...more, giver];
}

/**
 * The response whose value a request uses; `null` if too many gave it, or none before. If the first resource gave it
 * several times, its latest response counts. Another resource proves nothing more.
 */
function giverOf(first: Known, { start }: LinkableExchange): Giver | null {
  const { more } = first;
  if (more !== null && more.length >= MOST_GIVERS) return null;
  const latest = more?.findLast(
    ({ linkable }) => pathOf(linkable.url) === pathOf(first.linkable.url) && linkable.start < start,
  );
  return latest ?? (first.linkable.start < start ? first : null);
}

/** Whether the use proves a dependency: a number counts only if the response or the request uses it as an id. */
function isTelling(value: string, name: string | null, use: Use): boolean {
  return !/^-?\d+$/.test(value) || use === "id" || /(?:id|no|number|code|key|token)s?$/i.test(name ?? "");
}

const NONE: readonly Dependency[] = Object.freeze([]);

/**
 * The values that each client has sent, kept as 32-bit hashes, since a session may send millions. If two values share a
 * hash, the second one counts as sent before, and its link is missed.
 */
export class SentValues {
  #slots = new Uint32Array(1 << 12);
  #count = 0;

  add(client: number, value: string): void {
    if (2 * this.#count >= this.#slots.length) this.#grow();
    if (put(this.#slots, hashOf(client, value))) this.#count += 1;
  }

  has(client: number, value: string): boolean {
    const hash = hashOf(client, value);
    return this.#slots[slotOf(this.#slots, hash)] === hash;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#slots.length);
    for (const hash of this.#slots) if (hash !== 0) put(larger, hash);
    this.#slots = larger;
  }
}

function put(slots: Uint32Array, hash: number): boolean {
  const index = slotOf(slots, hash);
  if (slots[index] === hash) return false;
  slots[index] = hash;
  return true;
}

/** The hash's slot in the table, or the free slot where it belongs (open addressing). */
function slotOf(slots: Uint32Array, hash: number): number {
  const mask = slots.length - 1;
  let index = (Math.imul(hash, 0x9e3779b1) >>> 8) & mask;
  while (slots[index] !== 0 && slots[index] !== hash) index = (index + 1) & mask;
  return index;
}

/** A hash of client and value (FNV-1a over the characters), never 0. */
function hashOf(client: number, value: string): number {
  let hash = Math.imul(0x811c9dc5 ^ client, 0x01000193);
  for (let at = 0; at < value.length; at += 1) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0 || 1;
}
