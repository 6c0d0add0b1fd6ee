import { evictOldest } from "../../model/evict-oldest.ts";
import { evidenceOf } from "./link.ts";
import type { Moment } from "./moment.ts";
import { isDocument } from "./page-loads.ts";
import type { Dependency } from "./prover.ts";

/** The most origins remembered. */
const MOST_ORIGINS = 10_000;

/** A response that named the base of an API or of files, and until when a request counts as the first one. */
interface Configured {
  readonly moment: Moment;
  readonly base: string;
  firstUntil: number | null;
}

/**
 * Finds the first requests to an origin that a response named as a base, as a configuration does, and that the client
 * had not requested before in the same page load.
 */
export class ConfiguredOrigins {
  readonly #bases = new Map<string, Configured>();
  readonly #requested = new Map<string, number>();

  dependencyOf(moment: Moment): Dependency | null {
    const { facts, scope, url, start, end } = moment;
    if (isDocument(facts)) return null;
    const key = `${scope} ${facts.exchange.origin}`;
    const known = this.#bases.get(key);
    this.#requested.set(key, start);
    evictOldest(this.#requested, MOST_ORIGINS);
    if (known === undefined || !url.startsWith(known.base)) return null;
    if (known.firstUntil !== null && start >= known.firstUntil) return null;
    // A preflight asks only whether the request may follow.
    if (facts.exchange.method !== "OPTIONS") known.firstUntil ??= end;
    return { from: known.moment.place, evidence: evidenceOf("url", null, known.base) };
  }

  /** Remembers the bases that an ended response named. */
  ended(moment: Moment): void {
    for (const { url, by } of moment.values.named) {
      const origin = /^https?:\/\/[^/]+/.exec(url)?.[0];
      if (by !== "base" || origin === undefined) continue;
      const key = `${moment.scope} ${origin}`;
      if (this.#bases.has(key) || this.#requested.has(key)) continue;
      const base = url === `${origin}/` ? url : `${url.replace(/\/$/, "")}/`;
      this.#bases.set(key, { moment, base, firstUntil: null });
      evictOldest(this.#bases, MOST_ORIGINS);
    }
  }
}
