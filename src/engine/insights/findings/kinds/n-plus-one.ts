import type { Bytes, ExchangeId, Milliseconds } from "../../../model/units.ts";
import { isDocument } from "../../document.ts";
import { groupedBy } from "../../grouped.ts";
import { PLACEHOLDER, segmentsOf } from "../../path-templates.ts";
import { type Context, claimedBy, draftOf, figures, largestOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { isGivenByLists, repeatedWithList } from "../item-lists.ts";
import { sumOf } from "../numbers.ts";
import { areItems, isOnePerItem } from "../one-per-item.ts";
import { isPart, isPreflight } from "../request.ts";
import { candidatesIn, LEAST_REQUESTS, type Shape } from "../request-shape.ts";
import { savedWaiting } from "../saved-waiting.ts";
import { promptBursts } from "../shared-prompts.ts";
import { counted, inMs, nameOf } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";
import { unionOf } from "../waiting.ts";

/** The longest gap within a burst, from the latest end so far to the start of the next request. */
const BURST_GAP: Milliseconds = 100;

/**
 * The longest gap within a burst if one response gave values to the requests before and after the gap. The client may
 * work on each item before it requests the next. Equals the gap of order links (docs/specification.md).
 */
const GIVEN_GAP: Milliseconds = 300;

/** A request with a larger body than this is an upload, not a request for an item. */
const LARGEST_BODY: Bytes = 16 * 1024;

/**
 * Bursts count only if they contain at least this share of the requests with their `Shape`. Otherwise they are ordinary
 * load.
 */
const LEAST_SHARE_IN_BURSTS = 0.6;

/** A shape, and one client's bursts of requests with that shape. */
interface FoundShape {
  readonly shape: Shape;
  readonly bursts: readonly (readonly Request[])[];
}

/** A request for a list, then one request for each of its items. */
export function nPlusOne(context: Context): readonly Draft[] {
  const { traffic, found: earlier } = context;
  const refused = claimedBy(earlier, ["rate-limited"]);
  const found = new Map<string, { shape: Shape; bursts: (readonly Request[])[] }>();
  for (const route of traffic.routes.values()) {
    if (route.length < LEAST_REQUESTS) continue;
    for (const { shape, bursts } of shapesOfRoute(
      route.filter((one) => isSingle(one) && !refused.has(one.id)),
      traffic,
    )) {
      const key = keyOf(bursts.flat(), shape);
      const known = found.get(key);
      if (known === undefined) found.set(key, { shape, bursts: [...bursts] });
      else for (const burst of bursts) known.bursts.push(burst);
    }
  }
  return [
    ...[...found.values()].map(({ shape, bursts }) => draftFor(shape, bursts, traffic)),
    ...promptBursts(context),
  ];
}

/**
 * The key of the finding to which the bursts belong: the endpoint, if all requests have the same endpoint. Otherwise
 * method, origin, the shape's path and the operation.
 */
function keyOf(all: readonly Request[], { path }: Shape): string {
  const [first] = all;
  if (first === undefined) return path;
  if (all.every(({ endpointKey }) => endpointKey === first.endpointKey)) return first.endpointKey;
  return `${first.facts.exchange.method} ${first.origin}${path} ${first.facts.endpoint.operation ?? ""}`;
}

/** Finds the shapes among a client's requests to one origin, in each family (`familyOf`) with a burst. */
function shapesOfRoute(route: readonly Request[], traffic: Traffic): readonly FoundShape[] {
  return [...groupedBy(route, familyOf).values()].flatMap((family) => {
    const busy = burstsOf(family, traffic).filter(({ length }) => length >= LEAST_REQUESTS);
    return busy.length === 0 ? [] : shapesOf(busy.flat(), family, traffic);
  });
}

function isSingle(request: Request): boolean {
  return (
    isAwaited(request) &&
    request.facts.model === null &&
    !request.isStaticFile &&
    !isPreflight(request) &&
    !isPart(request) &&
    !isDocument(request.facts) &&
    !isPrefetch(request) &&
    request.facts.requestBody.size <= LARGEST_BODY
  );
}

/** Whether Sec-Purpose (Fetch) or Purpose contains `prefetch`. */
function isPrefetch({ facts }: Request): boolean {
  return facts.requestFields.some(
    ({ name, value }) => (name === "sec-purpose" || name === "purpose") && value.includes("prefetch"),
  );
}

/**
 * A key that is equal for requests that may have the same shape: those with the same method, depth of the path, query
 * names and operation.
 */
function familyOf({ facts, path }: Request): string {
  const names = facts.query.length === 0 ? "" : [...new Set(facts.query.map(([name]) => name))].sort().join("&");
  const depth = segmentsOf(path).length;
  return `${facts.exchange.method}\n${depth}\n${names}\n${facts.endpoint.operation ?? ""}`;
}

/** The shapes of the bursts, the largest first. A request counts only for the first shape that it has. */
function shapesOf(busy: readonly Request[], own: readonly Request[], traffic: Traffic): readonly FoundShape[] {
  const used = new Set<Request>();
  const found: FoundShape[] = [];
  const paths: readonly SamePath[] = Array.from(
    groupedBy(own, ({ path }) => path),
    ([path, requests]) => ({ segments: segmentsOf(path), requests }),
  );
  for (const shape of candidatesIn(busy)) {
    const members = shape.members.filter((request) => !used.has(request));
    const all = burstsOf(members, traffic).filter((burst) => isOnePerItem(burst, shape, traffic));
    const count = sumOf(all, ({ length }) => length);
    if (count === 0 || count < LEAST_SHARE_IN_BURSTS * sizeOf(shape, paths, used)) continue;
    const given = all.filter((burst) => isGivenByLists(burst, traffic));
    const repeated = new Set(repeatedWithList(all, shape.path, traffic));
    const bursts = all.filter((burst) => given.includes(burst) || repeated.has(burst));
    if (bursts.length === 0) continue;
    if ((shape.isByWords || shape.isByBody) && !areItems(shape, bursts, traffic)) continue;
    for (const burst of bursts) for (const request of burst) used.add(request);
    found.push({ shape, bursts });
  }
  return found;
}

/** The requests of a family with the same path. */
interface SamePath {
  readonly segments: readonly string[];
  readonly requests: readonly Request[];
}

/** How many requests of the family have the shape's path and are not `used`, whether in a burst or not. */
function sizeOf({ path }: Shape, paths: readonly SamePath[], used: ReadonlySet<Request>): number {
  const segments = segmentsOf(path);
  let size = 0;
  for (const { segments: other, requests } of paths)
    if (segments.every((segment, index) => segment === PLACEHOLDER || segment === other[index]))
      size += requests.filter((request) => !used.has(request)).length;
  return size;
}

function burstsOf(requests: readonly Request[], { links }: Traffic): Request[][] {
  const bursts: Request[][] = [];
  const givers = new Set<ExchangeId>();
  let until = Number.NEGATIVE_INFINITY;
  for (const request of requests) {
    const own = links.provenInto(request.id);
    const gap = own.some(({ from }) => givers.has(from)) ? GIVEN_GAP : BURST_GAP;
    if (request.start > until + gap) {
      bursts.push([]);
      givers.clear();
    }
    for (const { from } of own) givers.add(from);
    bursts.at(-1)?.push(request);
    until = Math.max(until, request.end);
  }
  return bursts;
}

function draftFor(shape: Shape, bursts: readonly (readonly Request[])[], traffic: Traffic): Draft {
  const all = bursts.flat();
  const [first] = all;
  if (first === undefined) throw new Error("a shape without requests");
  const dear = bursts.toSorted((left, right) => unionOf(right) - unionOf(left));
  const time = savedWaiting(traffic, new Map(bursts.flatMap(joinedLengths)));
  const endpoint = endpointOf(first, all, shape);
  const given = all.filter(({ id }) => traffic.links.provenInto(id).length > 0);
  // That a script ran before proves neither value nor URL.
  const named = all.filter(({ id }) =>
    traffic.links.provenInto(id).some(({ evidence }) => evidence?.source !== "script"),
  );
  const sizes = bursts.map(({ length }) => length);
  const burstsText =
    bursts.length === 1 ? "1 burst" : `${counted(bursts.length, "burst")} of up to ${largestOf(sizes)}`;
  const keys = [...new Set(all.map(({ endpointKey }) => endpointKey))];
  const requested = sumOf(keys, (key) => traffic.endpoints.get(key)?.length ?? 0);
  const countText =
    requested > all.length ? `${all.length} of its ${requested} requests` : counted(all.length, "request");
  return draftOf({
    kind: "n-plus-one",
    scope: { endpoint, origin: null, client: null },
    time,
    confidence: given.length >= all.length / 2 ? "likely" : "possible",
    telling: dear.flatMap(longestFirst),
    summary: `${nameOf(endpoint)} was requested once per item: ${countText} in ${burstsText}.`,
    advice:
      "Ask for all items in one request, or include the items' data in the list. This does not apply if a cache answers most of these requests.",
    evidence: figures({
      bursts: bursts.length,
      "requests in bursts": all.length,
      "requests with a distinctive value or URL from an earlier response": `${named.length} of ${all.length}`,
      "time that could be saved, up to": inMs(time),
    }),
    basis:
      "Up to: what the client would wait less if one request, as long as the longest of each burst, returned all items.",
  });
}

/** The lengths with which one request replaces a burst: the longest stays, without its wait for a connection. */
function joinedLengths(burst: readonly Request[]): readonly (readonly [Request, Milliseconds])[] {
  const most = largestOf(burst.map(ownTimeOf));
  const longest = burst.find((one) => ownTimeOf(one) === most);
  return burst.map((one) => [one, one === longest ? most : 0]);
}

/** The request's duration without the wait for a connection, since a single request would not wait. */
function ownTimeOf({ start, end, facts }: Request): Milliseconds {
  return end - start - (facts.queued ?? 0);
}

/** The endpoint of all requests; if there are several, the first request's endpoint with the shape's path. */
function endpointOf(first: Request, all: readonly Request[], { path }: Shape): NonNullable<Draft["endpoint"]> {
  const { endpoint } = first.facts;
  return all.every(({ endpointKey }) => endpointKey === first.endpointKey) ? endpoint : { ...endpoint, path };
}
