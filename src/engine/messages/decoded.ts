import * as v from "valibot";
import type { Endpoint } from "../model/endpoint.ts";
import type { ExchangeId, Instant } from "../model/units.ts";
import { LONGEST_FILTER } from "./list-messages.ts";
import { type OccurringKey, ROW_KEYS, TRAFFIC_COLUMNS } from "./traffic-messages.ts";

/* Schemas and limits for parts of messages from UI clients. */

const MOST_ROWS = 500;

/**
 * The most characters of an endpoint: a method, an origin and a target. A head, and so a target, has at most 64 KB
 * (docs/security.md F3).
 */
const MOST_ENDPOINT = 70_000;

/** The most characters of a session's id. Ids are far shorter. */
const MOST_SESSION_ID = 100;

/** The most ranges of selected rows. Nobody selects that many by hand. */
const MOST_STRETCHES = 1_000;

/** A text of at most so many characters. */
export const textUpTo = (most: number) => v.pipe(v.string(), v.maxLength(most));

export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const exchangeId = v.pipe(
  whole,
  v.transform((id) => id as ExchangeId),
);

const instant = v.pipe(
  v.number(),
  v.finite(),
  v.transform((time) => time as Instant),
);

export const timeRange = v.object({ from: instant, to: instant });

export const endpoint = v.pipe(
  v.string(),
  v.maxLength(MOST_ENDPOINT),
  v.transform((text) => text as Endpoint),
);

export const sessionId = textUpTo(MOST_SESSION_ID);

/** The most characters of a header's or parameter's name in a completion. Real names are shorter. */
const MOST_NAME = 200;

export const occurringKey = v.union([
  v.picklist([...ROW_KEYS, "finding"]),
  v.pipe(
    v.string(),
    v.maxLength(MOST_NAME),
    v.regex(/^(?:q|req|resp)\./),
    v.transform((key) => key as OccurringKey),
  ),
]);

/** The most characters of a finding's key. Keys are shorter. */
const MOST_KEY = 2_000;

export const findingKey = textUpTo(MOST_KEY);

export const filter = textUpTo(LONGEST_FILTER);

export const range = v.object({ from: whole, count: v.pipe(whole, v.maxValue(MOST_ROWS)) });

/** The schema of a sort order by one of these columns. */
export function sortBy<const Columns extends readonly string[]>(columns: Columns) {
  return v.object({ column: v.picklist(columns), descending: v.boolean() });
}

export const trafficSort = sortBy(TRAFFIC_COLUMNS);

/** The most open nodes in the tree of hosts and paths. */
const MOST_OPEN = 50;

const nodeText = textUpTo(MOST_ENDPOINT);

export const treeNodes = v.pipe(
  v.array(v.object({ host: nodeText, path: nodeText })),
  v.maxLength(MOST_OPEN),
  v.readonly(),
);

const stretches = v.pipe(
  v.array(v.object({ from: v.nullable(exchangeId), to: v.nullable(exchangeId) })),
  v.maxLength(MOST_STRETCHES),
  v.readonly(),
);

/** All rows in some ranges of a sorted traffic list, and with the list's filter. */
export const pickedRanges = { sort: trafficSort, stretches };
export const pickedRows = { filter, ...pickedRanges };
