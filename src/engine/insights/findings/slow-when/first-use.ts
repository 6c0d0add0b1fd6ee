import { medianOf } from "../../../stats/percentile.ts";
import { groupedBy } from "../../grouped.ts";
import type { Request } from "../traffic.ts";
import { TIERS } from "./column.ts";
import { type Durations, durationOf, LEAST_EFFECT, LEAST_SLOW } from "./durations.ts";
import { bodyColumns, pathColumns, queryColumns } from "./request-columns.ts";
import type { Split, Splits } from "./split.ts";

/** The most parts of a request whose first uses are compared, and the most comparisons of a part with a request. */
const MOST_PARTS = 50;
const MOST_KEYS = 500_000;

/** A first use counts as proof only after this many requests that are none: else it is the start of the session. */
const AFTER = 5;

/** At least this share of the first uses must be slower than what they are compared with. */
const SLOWER = 0.8;

/** How many requests before a first use, and after it, it is compared with. */
const NEIGHBOURS = 2;

/** A part of a request that may be a key: its name as in `attribute`, and its value in a request. */
interface Part {
  readonly name: string;
  readonly keyOf: (request: Request) => string | null;
}

/**
 * The splits by the first use of a path, key or value in the session, and how many parts were tried. `all`: the
 * endpoint's requests, in the order of their starts.
 */
export function firstUseSplits(all: readonly Request[], durations: Durations): Splits {
  const splits: Split[] = [];
  let tried = 0;
  const most = Math.min(MOST_PARTS, Math.max(1, Math.floor(MOST_KEYS / all.length)));
  for (const { name, keyOf } of partsIn(durations.requests).slice(-most)) {
    const uses = usesOf(all, keyOf);
    if (uses.firsts.size < LEAST_SLOW || uses.laters.size < LEAST_SLOW) continue;
    tried += 1;
    const carries = (request: Request) => uses.firsts.has(request);
    const result = durations.test(Uint8Array.from(durations.requests, (request) => Number(carries(request))));
    if (result === null || !areSlow(uses, all, keyOf)) continue;
    const attribute = { name: "first-use", value: name };
    splits.push({ ...result, attribute, tier: TIERS.meanwhile, carries, isNegative: false, isRange: false });
  }
  return { splits, tried };
}

function partsIn(requests: readonly Request[]): readonly Part[] {
  const [query, body] = [new Set<string>(), new Set<string>()];
  for (const { facts } of requests) {
    for (const [name] of facts.query) query.add(name);
    for (const [name] of facts.bodyFields ?? []) body.add(name);
  }
  const columns = [...pathColumns(requests), ...queryColumns(query), ...bodyColumns(requests, body)];
  const parts = columns.map(({ name, valuesOf }): Part => ({ name, keyOf: (request) => valuesOf(request)[0] ?? null }));
  if (parts.length > 1) parts.push({ name: "url", keyOf: ({ facts }) => facts.exchange.target });
  return parts;
}

interface Uses {
  /** The first use of each key, and those that began before its response had ended. */
  readonly firsts: ReadonlySet<Request>;
  /** The later uses, in order. */
  readonly laters: ReadonlySet<Request>;
  /** The first request for each key. */
  readonly byKey: ReadonlyMap<string, Request>;
}

function usesOf(all: readonly Request[], keyOf: Part["keyOf"]): Uses {
  const [firsts, laters] = [new Set<Request>(), new Set<Request>()];
  const byKey = new Map<string, Request>();
  for (const request of all) {
    const key = keyOf(request);
    if (key === null) continue;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, request);
    if (known === undefined || request.start < known.end) firsts.add(request);
    else laters.add(request);
  }
  return { firsts, laters, byKey };
}

/**
 * Whether first uses are slow compared with later uses of the same key, and with other requests of the same time. The
 * first uses at the session's start, and those on new connections, prove nothing.
 */
function areSlow({ firsts, laters, byKey }: Uses, all: readonly Request[], keyOf: Part["keyOf"]): boolean {
  const known = [...laters];
  const [sameKey, sameTime]: [number[], number[]] = [[], []];
  const later = groupedBy(known, keyOf);
  let earlier = 0;
  for (const request of all) {
    if (laters.has(request)) earlier += 1;
    if (!firsts.has(request) || earlier < AFTER || request.facts.exchange.reused === false) continue;
    const key = keyOf(request) ?? "";
    if (byKey.get(key) !== request) continue;
    const own = later.get(key) ?? [];
    const duration = Math.max(0.1, durationOf(request));
    const ratioTo = (others: readonly Request[]) => duration / Math.max(0.1, medianOf(others.map(durationOf)));
    sameTime.push(ratioTo(known.slice(Math.max(0, earlier - NEIGHBOURS), earlier + NEIGHBOURS)));
    if (own.length > 0) sameKey.push(ratioTo(own));
  }
  return [sameKey, sameTime].every((ratios) => {
    if (ratios.length < LEAST_SLOW || medianOf(ratios) < LEAST_EFFECT) return false;
    return ratios.filter((ratio) => ratio > 1).length >= SLOWER * ratios.length;
  });
}
