import { pathOf } from "../../model/endpoint.ts";
import type { Bytes, ExchangeId, Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { groupedBy } from "../grouped.ts";
import { isCursor } from "./cursor.ts";

/** docs/specification.md, What is no cause: the longest pause between a long response and the next request. */
const AGAIN_WITHIN: Milliseconds = 100;

/**
 * A response is held if the server takes at least `HELD`, and long if it takes at least `LONG`; its body has at most
 * `LARGEST_BODY`. Requests are long polls if the client often sent the next request right after such a response: at
 * least `LEAST_AGAIN` times, after at least the share `LEAST_SHARE_AGAIN` of these responses, and after at least the
 * share `LEAST_SHARE_LONG` of all responses. The shares exclude ordinary polls with a few slow responses.
 */
const HELD: Milliseconds = 400;
const LONG: Milliseconds = 5_000;
const LARGEST_BODY: Bytes = 16 * 1024;
const LEAST_SHARE_LONG = 0.2;
const LEAST_AGAIN = 2;
const LEAST_SHARE_AGAIN = 0.6;

/**
 * Held responses below `LONG` count only if the server holds requests up to a fixed time: the longest ones, at least
 * `LEAST_AT_CAP`, end within `CAP_WIDTH` of each other without news, and at least `LEAST_EARLY` others end before
 * `EARLY` of that time. A slow server's times have no such limit, or they are all alike.
 */
const CAP_WIDTH: Milliseconds = 25;
const LEAST_AT_CAP = 2;
const LEAST_EARLY = 2;
const EARLY = 0.9;

/**
 * Without a fixed time in sight, held responses count if the requests say up to where the client has read, and if the
 * time at one tenth of the responses is at most this share of the time at nine tenths: news comes at any time.
 */
const MOST_OF_LONG = 0.25;
const LEAST_TOLD = 10;

/**
 * The long polls: requests that the server answers only once there is news, and that the client then sends again.
 * `counted`: sorted by start.
 */
export function longPollsOf(counted: readonly ExchangeFacts[]): ReadonlySet<ExchangeId> {
  const long = new Set(counted.filter((facts) => isHeld(facts, HELD)).map(keyOf));
  if (long.size === 0) return new Set();
  const series = groupedBy(counted, keyOf);
  const found = new Set<ExchangeId>();
  for (const key of long) {
    const own = series.get(key) ?? [];
    const from = hasCap(own) || awaitsNews(own) ? HELD : LONG;
    const answers = own.slice(0, -1).filter((facts) => isHeld(facts, from)).length;
    const again = own.filter((facts) => isHeld(facts, from) && isRepeated(facts, own)).length;
    if (again < LEAST_AGAIN || again < LEAST_SHARE_AGAIN * answers || again < LEAST_SHARE_LONG * own.length) continue;
    for (const { exchange } of own) found.add(exchange.id);
  }
  return found;
}

function keyOf({ exchange: { client, method, origin, target } }: ExchangeFacts): string {
  return `${client}\n${method} ${origin}${pathOf(target)}`;
}

function isHeld({ exchange }: ExchangeFacts, from: Milliseconds): boolean {
  if (exchange.method !== "GET" && exchange.method !== "POST") return false;
  return holdOf(exchange) >= from && exchange.encodedBodySize <= LARGEST_BODY;
}

/** How long the server held the response back; 0 without a response. */
function holdOf({ instants: { requestStart, responseStart } }: ExchangeFacts["exchange"]): Milliseconds {
  return requestStart === null || responseStart === null ? 0 : responseStart - requestStart;
}

/** Whether the server answers at a fixed time without news, and earlier with news. */
function hasCap(own: readonly ExchangeFacts[]): boolean {
  const holds = own.map(({ exchange }) => holdOf(exchange));
  const longest = holds.reduce((most, hold) => Math.max(most, hold), 0);
  const atCap = own.filter((_, index) => (holds[index] ?? 0) >= longest - CAP_WIDTH);
  const early = own.filter((_, index) => (holds[index] ?? 0) < EARLY * longest);
  if (atCap.length < LEAST_AT_CAP || early.length < LEAST_EARLY || holds.length > atCap.length + early.length)
    return false;
  return (
    isWithoutNews(atCap, early) &&
    early.some(({ responseBody: { hash } }, index) => hash !== early[index - 1]?.responseBody.hash)
  );
}

/** Whether the requests name what the client has read, and are answered after very different times. */
function awaitsNews(own: readonly ExchangeFacts[]): boolean {
  const cursors = own.map(({ query }) => query.find(([name]) => isCursor(name))?.[1]);
  if (own.length < LEAST_TOLD || cursors.includes(undefined) || new Set(cursors).size < 2) return false;
  const holds = own.map(({ exchange }) => holdOf(exchange)).sort((one, other) => one - other);
  const [short = 0, long = 0] = [0.1, 0.9].map((share) => holds[Math.floor(share * (holds.length - 1))]);
  return short <= MOST_OF_LONG * long;
}

/**
 * Whether the responses at the fixed time tell nothing: all of them are equal to one another or to the response before,
 * or smaller than those that came earlier.
 */
function isWithoutNews(atCap: readonly ExchangeFacts[], early: readonly ExchangeFacts[]): boolean {
  const hashes = new Set(atCap.map(({ responseBody }) => responseBody.hash));
  if (hashes.size === 1 && !hashes.has(null) && early.every(({ responseBody }) => !hashes.has(responseBody.hash)))
    return true;
  const least = early.reduce(
    (size, { exchange }) => Math.min(size, exchange.encodedBodySize),
    Number.POSITIVE_INFINITY,
  );
  return atCap.every(({ exchange }) => exchange.encodedBodySize < least);
}

/** Whether one of `own`, which are sorted by start, began right after the response. Other tabs may poll meanwhile. */
function isRepeated({ exchange: { endTime: end } }: ExchangeFacts, own: readonly ExchangeFacts[]): boolean {
  if (end === null) return false;
  const next = own[lowerBound(0, own.length, (at) => (own[at]?.exchange.instants.startTime ?? 0) >= end - 1)];
  return next !== undefined && next.exchange.instants.startTime <= end + AGAIN_WITHIN;
}
