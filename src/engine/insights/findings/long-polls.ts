import { pathOf } from "../../model/endpoint.ts";
import type { Steps } from "../../model/steps.ts";
import type { Bytes, ExchangeId, Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { Pace } from "./sliced.ts";

/** docs/specification.md, What is no cause: the longest pause between a long response and the next request. */
const AGAIN_WITHIN: Milliseconds = 100;

/**
 * A response is long if the server takes at least `LONG` and the body has at most
 * `LARGEST_BODY`. Requests are long polls if the client often sent the next request right after a long response: at
 * least `LEAST_AGAIN` times, after at least the share `LEAST_SHARE_AGAIN` of the long responses, and after at least the
 * share `LEAST_SHARE_LONG` of all responses. The shares exclude ordinary polls with a few slow responses.
 */
const LONG: Milliseconds = 5_000;
const LARGEST_BODY: Bytes = 16 * 1024;
const LEAST_SHARE_LONG = 0.2;
const LEAST_AGAIN = 2;
const LEAST_SHARE_AGAIN = 0.6;

/**
 * The long polls: requests that the server answers only once there is news, and that the client then sends again.
 * `counted`: sorted by start.
 */
export function* longPollsOf(counted: readonly ExchangeFacts[]): Steps<ReadonlySet<ExchangeId>> {
  const long = new Set<string>();
  const clients = new Set<string>();
  const pace = new Pace();
  for (const facts of counted) {
    if (pace.isDue(1)) yield;
    if (!isLong(facts)) continue;
    clients.add(facts.exchange.client);
    long.add(keyOf(facts));
  }
  if (long.size === 0) return new Set();
  yield;
  const series = new Map<string, ExchangeFacts[]>();
  for (const facts of counted) {
    if (pace.isDue(1)) yield;
    const key = clients.has(facts.exchange.client) ? keyOf(facts) : "";
    if (!long.has(key)) continue;
    const own = series.get(key);
    if (own === undefined) series.set(key, [facts]);
    else own.push(facts);
  }
  yield;
  const found = new Set<ExchangeId>();
  for (const key of long) {
    const own = series.get(key) ?? [];
    const answers = own.slice(0, -1).filter(isLong).length;
    const again = own.filter((facts) => isLong(facts) && isAskedAgain(facts, own)).length;
    if (again < LEAST_AGAIN || again < LEAST_SHARE_AGAIN * answers || again < LEAST_SHARE_LONG * own.length) continue;
    for (const { exchange } of own) found.add(exchange.id);
  }
  return found;
}

function keyOf({ exchange: { client, method, origin, target } }: ExchangeFacts): string {
  return `${client}\n${method} ${origin}${pathOf(target)}`;
}

function isLong({ exchange: { method, instants, encodedBodySize } }: ExchangeFacts): boolean {
  if (method !== "GET" && method !== "POST") return false;
  const { requestStart, responseStart } = instants;
  return (
    requestStart !== null &&
    responseStart !== null &&
    responseStart - requestStart >= LONG &&
    encodedBodySize <= LARGEST_BODY
  );
}

/** Whether one of `own`, which are sorted by start, began right after the response. Other tabs may poll meanwhile. */
function isAskedAgain({ exchange: { endTime: end } }: ExchangeFacts, own: readonly ExchangeFacts[]): boolean {
  if (end === null) return false;
  const next = own[lowerBound(0, own.length, (at) => (own[at]?.exchange.instants.startTime ?? 0) >= end - 1)];
  return next !== undefined && next.exchange.instants.startTime <= end + AGAIN_WITHIN;
}
