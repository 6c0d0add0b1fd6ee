import type { KnownValues } from "./known-values.ts";
import type { Dependency, LinkProver } from "./link-prover.ts";
import { isReadAsItComes, type LinkableExchange, scopesOf } from "./linkable-exchange.ts";
import type { ReferredLoad } from "./referred-loads.ts";

/**
 * A cookie is rotating if it got a new value at least `ROTATING_FROM` times. At least the share `ROTATING_SHARE` of its
 * origins' responses to the client must have changed it.
 */
const ROTATING_FROM = 3;
const ROTATING_SHARE = 0.5;

/** Finds requests that contain a value that a response gave and that the client had not sent before. */
export class ValueLinks implements LinkProver {
  readonly basis = "value";
  readonly #known: KnownValues;
  readonly #cookies = new Cookies();

  constructor(known: KnownValues) {
    this.#known = known;
  }

  /**
   * A value that the request's page load was given comes from there, in each load anew; any other value from what its
   * client was given, at its first use.
   */
  dependencies(linkable: LinkableExchange): readonly Dependency[] {
    const { client, scope, values } = linkable;
    let found: Map<number, Dependency> | null = null;
    for (const [value, use] of values.used) {
      const known = this.#known.use(client, linkable, value, use);
      const own = scope === client ? [] : this.#known.use(scope, linkable, value, use);
      for (const dependency of own.length > 0 ? own : known) {
        const held = this.#held(linkable, dependency);
        found ??= new Map();
        const other = found.get(held.from);
        found.set(held.from, other === undefined ? held : either(other, held));
      }
    }
    return found === null ? NONE : [...found.values()];
  }

  /**
   * Stores the values that clients can use before the response ends: those of headers, and of bodies that clients read
   * while they arrive.
   */
  answer(linkable: LinkableExchange): void {
    this.#cookies.answer(linkable);
    this.#give(linkable, (source) => source !== "body" || isReadAtOnce(linkable));
  }

  ended(linkable: LinkableExchange): void {
    if (!isReadAtOnce(linkable)) this.#give(linkable, (source) => source === "body");
    for (const scope of scopesOf(linkable)) this.#known.count(scope, linkable);
  }

  evicted({ scope }: ReferredLoad): void {
    this.#known.forget(scope);
  }

  #give(linkable: LinkableExchange, isNow: (source: string) => boolean): void {
    for (const given of linkable.values.given) {
      if (!isNow(given.source)) continue;
      if (given.source === "set-cookie") this.#cookies.set(linkable, given.name, given.value);
      if (linkable.values.used.has(given.value)) continue;
      this.#known.give(scopesOf(linkable), linkable, given);
    }
  }

  #held(linkable: LinkableExchange, dependency: Dependency): Dependency {
    const { source, name } = dependency.evidence;
    if (source !== "set-cookie" || name === null) return dependency;
    return { ...dependency, holds: () => !this.#cookies.rotates(linkable.client, name) };
  }
}

const NONE: readonly Dependency[] = Object.freeze([]);

/** A dependency that holds if `one` or `other` holds. */
function either(one: Dependency, other: Dependency): Dependency {
  const { holds } = one;
  if (holds === undefined) return one;
  return { ...one, holds: () => holds() || (other.holds?.() ?? true) };
}

/** Counts how often each cookie got a new value, and from which endpoints. */
class Cookies {
  readonly #responses = new Map<string, number>();
  readonly #cookies = new Map<string, Cookie>();

  answer(linkable: LinkableExchange): void {
    const key = originOf(linkable);
    this.#responses.set(key, (this.#responses.get(key) ?? 0) + 1);
  }

  set(linkable: LinkableExchange, name: string, value: string): void {
    const key = `${linkable.client} ${name}`;
    let cookie = this.#cookies.get(key);
    if (cookie === undefined) {
      cookie = { latest: "", changes: 0, origins: new Set(), endpoints: new Set(), isPosted: false };
      this.#cookies.set(key, cookie);
    }
    if (cookie.latest === value) return;
    cookie.latest = value;
    cookie.changes += 1;
    cookie.origins.add(originOf(linkable));
    cookie.endpoints.add(linkable.endpoint);
    cookie.isPosted ||= linkable.facts.exchange.method === "POST";
  }

  /**
   * Whether the cookie changes with at least the share `ROTATING_SHARE` of its origins' responses. `false` if only one
   * endpoint changes it, in responses to POST, as a login does.
   */
  rotates(client: number, name: string): boolean {
    const cookie = this.#cookies.get(`${client} ${name}`);
    if (cookie === undefined || cookie.changes < ROTATING_FROM || (cookie.endpoints.size === 1 && cookie.isPosted))
      return false;
    let responses = 0;
    for (const origin of cookie.origins) responses += this.#responses.get(origin) ?? 0;
    return cookie.changes >= ROTATING_SHARE * responses;
  }
}

interface Cookie {
  latest: string;
  changes: number;
  readonly origins: Set<string>;
  readonly endpoints: Set<number>;
  isPosted: boolean;
}

function originOf({ client, facts }: LinkableExchange): string {
  return `${client} ${facts.exchange.origin}`;
}

/**
 * Whether the body's values count from its first byte. A stream may bring a value long after that, even one just sent.
 */
function isReadAtOnce(linkable: LinkableExchange): boolean {
  return isReadAsItComes(linkable) && !linkable.lasts;
}
