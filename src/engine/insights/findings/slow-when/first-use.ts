import { medianOf } from "../../../stats/percentile.ts";
import { PLACEHOLDER, segmentsOf } from "../../path-templates.ts";
import type { Request } from "../traffic.ts";
import { bodyValues } from "./asked-columns.ts";
import { TIERS } from "./column.ts";
import { type Durations, LEAST_EFFECT, LEAST_SLOW } from "./durations.ts";
import type { Split } from "./split.ts";

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
 * endpoint's requests, in the order of their starts. `durationOf`: as in `durations`.
 */
export function firstUseSplits(
  all: readonly Request[],
  durations: Durations,
  durationOf: (request: Request) => number,
): { readonly splits: readonly Split[]; readonly tried: number } {
  const splits: Split[] = [];
  let tried = 0;
  const most = Math.min(MOST_PARTS, Math.max(1, Math.floor(MOST_KEYS / all.length)));
  for (const { name, keyOf } of partsIn(durations.requests).slice(-most)) {
    const uses = usesOf(all, keyOf);
    const { first, later } = uses;
    if (first.size < LEAST_SLOW || later.size < LEAST_SLOW) continue;
    tried += 1;
    const carries = (request: Request) => first.has(request);
    const result = durations.test(Uint8Array.from(durations.requests, (request) => Number(carries(request))));
    if (result === null || !areSlow(uses, all, durationOf)) continue;
    const attribute = { name: "first-use", value: name };
    splits.push({ ...result, attribute, tier: TIERS.meanwhile, carries, isNegative: false, isRange: false });
  }
  return { splits, tried };
}

function partsIn(requests: readonly Request[]): readonly Part[] {
  const [first] = requests;
  const template = segmentsOf(first?.facts.endpoint.path ?? "");
  const parts: Part[] = [];
  for (const [place, segment] of template.entries())
    if (segment === PLACEHOLDER)
      parts.push({ name: `path:${place}`, keyOf: ({ path }) => segmentsOf(path)[place] ?? null });
  const [query, body] = [new Set<string>(), new Set<string>()];
  for (const { facts } of requests) {
    for (const [name] of facts.query) query.add(name);
    for (const [name] of facts.bodyFields ?? []) body.add(name);
  }
  for (const name of query)
    parts.push({
      name: `query:${name}`,
      keyOf: ({ facts }) => facts.query.find(([other]) => other === name)?.[1] ?? null,
    });
  for (const name of body)
    parts.push({ name: `body:${name}`, keyOf: (request) => bodyValues(request, name)[0] ?? null });
  if (parts.length > 1) parts.push({ name: "url", keyOf: ({ facts }) => facts.exchange.target });
  return parts;
}

interface Uses {
  /** The first use of each key, and what began before the first response had ended. */
  readonly first: ReadonlySet<Request>;
  readonly later: ReadonlySet<Request>;
  /** The first request for each key, and its later uses. */
  readonly byKey: ReadonlyMap<string, { readonly first: Request; readonly later: Request[] }>;
}

function usesOf(all: readonly Request[], keyOf: Part["keyOf"]): Uses {
  const [first, later] = [new Set<Request>(), new Set<Request>()];
  const byKey = new Map<string, { readonly first: Request; readonly later: Request[] }>();
  for (const request of all) {
    const key = keyOf(request);
    if (key === null) continue;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { first: request, later: [] });
    if (known === undefined || request.start < known.first.end) first.add(request);
    else {
      later.add(request);
      known.later.push(request);
    }
  }
  return { first, later, byKey };
}

/**
 * Whether first uses are slow compared with later uses of the same key, and with other requests of the same time. The
 * first uses at the session's start, and those on new connections, prove nothing.
 */
function areSlow(
  { first, later, byKey }: Uses,
  all: readonly Request[],
  durationOf: (request: Request) => number,
): boolean {
  const known = all.filter((request) => later.has(request));
  const [sameKey, sameTime]: [number[], number[]] = [[], []];
  const ownLater = new Map(Array.from(byKey.values(), (uses) => [uses.first, uses.later]));
  let place = 0;
  for (const request of all) {
    if (later.has(request)) place += 1;
    const own = ownLater.get(request);
    if (own === undefined || !first.has(request) || place < AFTER || request.facts.exchange.reused === false) continue;
    const duration = Math.max(0.1, durationOf(request));
    const ratioTo = (others: readonly Request[]) => duration / Math.max(0.1, medianOf(others.map(durationOf)));
    sameTime.push(ratioTo(known.slice(Math.max(0, place - NEIGHBOURS), place + NEIGHBOURS)));
    if (own.length > 0) sameKey.push(ratioTo(own));
  }
  return [sameKey, sameTime].every((ratios) => {
    if (ratios.length < LEAST_SLOW || medianOf(ratios) < LEAST_EFFECT) return false;
    return ratios.filter((ratio) => ratio > 1).length >= SLOWER * ratios.length;
  });
}
