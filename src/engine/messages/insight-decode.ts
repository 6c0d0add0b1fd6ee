import * as v from "valibot";
import { GROUP_COLUMNS } from "./chain-messages.ts";
import { COMPARE_COLUMNS } from "./compare-messages.ts";
import { endpoint, exchangeId, filter, range, sessionId, sortBy, timeRange, whole } from "./decoded.ts";
import { PAYLOAD_COLUMNS } from "./payload-messages.ts";
import { TREND_COLUMNS } from "./trend-messages.ts";

const MOST_SLICES = 2_000;

/** The longest time that a request could be said to take: an hour. */
const LONGEST_TIME = 3_600_000;

/** The most steps that can change together: more than a path lists (session/evaluation/where-record.ts). */
const MOST_STEPS = 100;

const between = v.nullable(timeRange);

const sides = { left: v.nullable(sessionId), right: v.nullable(sessionId), filter };

export const insightQueries = [
  /** The sizes of all endpoints, including those with too few requests for a row. */
  v.object({
    view: v.literal("payload"),
    filter,
    sort: sortBy(PAYLOAD_COLUMNS),
    range,
  }),
  /**
   * Exchanges in the order of their starts. `between`: only exchanges that ran at some time in this range; `null`: all.
   */
  v.object({ view: v.literal("timeline"), filter, between, range }),
  v.object({ view: v.literal("groups"), sort: sortBy(GROUP_COLUMNS), range }),
  /** Repeats with a matching exchange, the costliest first. */
  v.object({ view: v.literal("repeats"), filter, range }),
  v.object({
    view: v.literal("trends"),
    filter,
    metric: v.picklist(["all", "latency", "errorRate", "payload"]),
    direction: v.picklist(["all", "up", "down", "stable"]),
    sort: sortBy(TREND_COLUMNS),
    range,
  }),
  /**
   * Compares two sessions by id; `null` stands for the current session. Figures are sorted by their change from left to
   * right.
   */
  v.object({
    view: v.literal("compare"),
    ...sides,
    sort: sortBy(COMPARE_COLUMNS),
    range,
  }),
  /** The number of endpoints with each verdict of a comparison. */
  v.object({ view: v.literal("comparison"), ...sides }),
  v.object({ view: v.literal("payload-endpoint"), endpoint }),
  /** The minimap above the timeline: divides `between` (`null`: the whole session) into `slices` equal parts. */
  v.object({
    view: v.literal("density"),
    filter,
    between,
    slices: v.pipe(whole, v.minValue(1), v.maxValue(MOST_SLICES)),
  }),
  /**
   * The first of these critical paths that exists and whose first and last exchange match the filter:
   *
   * 1. the path that starts with the first request that `exchange` needed, else the path of the page that the client of
   *    `exchange` loaded before; the path must overlap `between`
   * 2. the longest path of a page that started in `between`
   * 3. if the filter leaves only one client, the longest path that started in `between`
   */
  v.object({ view: v.literal("critical-path"), filter, between: timeRange, exchange: v.nullable(exchangeId) }),
  /**
   * What page loads and walks would gain if all requests to an endpoint took `to` ms: that of `exchanges`, else
   * `endpoint`. Tells, too, what the load of `exchanges` would gain if these alone did.
   */
  v.object({
    view: v.literal("what-if"),
    exchanges: v.pipe(v.array(exchangeId), v.maxLength(MOST_STEPS), v.readonly()),
    endpoint: v.nullable(endpoint),
    to: v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_TIME)),
  }),
  /** What the user marked as A and B, compared. */
  v.object({ view: v.literal("marked-changes") }),
  /** Chains with a matching exchange. */
  v.object({ view: v.literal("chains"), filter }),
  /** The sessions that trends compare with, and how many are missing. */
  v.object({ view: v.literal("baseline") }),
  /** What "Group similar paths" folds, or would fold if it were on. */
  v.object({ view: v.literal("grouping") }),
] as const;

export const insightCommands = [
  /**
   * Compares the page loads and findings of two sessions, as the query `compare`. The reply's value is a
   * `ChangeList[]`.
   */
  v.object({ type: v.literal("compare-sessions"), left: sides.left, right: sides.right }),
  /** Estimates the sizes of a body under other codings. The reply's value is a `CompressionEstimate`. */
  v.object({ type: v.literal("estimate-compression"), exchange: exchangeId }),
] as const;
