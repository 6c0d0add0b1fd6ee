import * as v from "valibot";
import type { Endpoint } from "../model/endpoint.ts";
import type { ExchangeId } from "../model/units.ts";
import { TRAFFIC_COLUMNS } from "./traffic-messages.ts";

/* The pieces of which messages of the UI are made, and their bounds. */

/** Our choice: rows of one window. */
const MOST_ROWS = 500;

/** security.md F3: a head, and so a target, has at most 64 KB; a method and an origin stand before it. */
const MOST_ENDPOINT = 70_000;

/** Our choice: characters of a filter. It names an endpoint or an address, and has room for other words. */
const MOST_FILTER = MOST_ENDPOINT + 1_000;

/** Our choice: characters of a session's id, far more than one has. */
const MOST_SESSION_ID = 100;

/** Our choice: stretches of picked rows, far more than anybody picks by hand. */
const MOST_STRETCHES = 1_000;

export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const exchangeId = v.pipe(
  whole,
  v.transform((id) => id as ExchangeId),
);

export const endpoint = v.pipe(
  v.string(),
  v.maxLength(MOST_ENDPOINT),
  v.transform((text) => text as Endpoint),
);

export const sessionId = v.pipe(v.string(), v.maxLength(MOST_SESSION_ID));

export const filter = v.pipe(v.string(), v.maxLength(MOST_FILTER));

export const range = v.object({ from: whole, count: v.pipe(whole, v.maxValue(MOST_ROWS)) });

/** An order by one of these columns. */
export function sortBy<const Columns extends readonly string[]>(columns: Columns) {
  return v.object({ column: v.picklist(columns), descending: v.boolean() });
}

export const trafficSort = sortBy(TRAFFIC_COLUMNS);

/** messages.ts: open places of the hosts' tree; hosts and paths of the wire are at most a head long, security.md F3. */
const MOST_OPEN = 50;

const placeText = v.pipe(v.string(), v.maxLength(MOST_ENDPOINT));

export const treePlaces = v.pipe(v.array(v.object({ host: placeText, path: placeText })), v.maxLength(MOST_OPEN));

export const stretches = v.pipe(
  v.array(v.object({ from: v.nullable(exchangeId), to: v.nullable(exchangeId) })),
  v.maxLength(MOST_STRETCHES),
);
