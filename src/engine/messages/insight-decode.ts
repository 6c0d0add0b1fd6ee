import * as v from "valibot";
import type { Instant } from "../model/units.ts";
import { endpoint, exchangeId, filter, range, sessionId, sortBy, whole } from "./decoded.ts";

/** Default; not from a specification: the most slices of the minimap. */
const MOST_SLICES = 2_000;

const instant = v.pipe(
  v.number(),
  v.finite(),
  v.transform((time) => time as Instant),
);
const between = v.nullable(v.object({ from: instant, to: instant }));

/** Schemas of the queries in insight-messages.ts. */
export const insightQueries = [
  v.object({
    view: v.literal("payload"),
    filter,
    sort: sortBy([
      "endpoint",
      "requests",
      "avgRequestSize",
      "avgResponseSize",
      "compressionRatio",
      "largest",
      "oversized",
    ]),
    range,
  }),
  v.object({ view: v.literal("timeline"), filter, between, range }),
  v.object({ view: v.literal("groups"), sort: sortBy(["start", "exchanges", "duration"]), range }),
  v.object({ view: v.literal("repeats"), filter, range }),
  v.object({
    view: v.literal("trends"),
    filter,
    metric: v.picklist(["all", "latency", "errorRate", "payload"]),
    direction: v.picklist(["all", "up", "down", "stable"]),
    sort: sortBy(["endpoint", "metric", "baseline", "current", "change", "sessions"]),
    range,
  }),
  v.object({
    view: v.literal("compare"),
    left: v.nullable(sessionId),
    right: v.nullable(sessionId),
    filter,
    sort: sortBy(["endpoint", "verdict", "p50", "p95", "avgSize", "errorRate"]),
    range,
  }),
  v.object({
    view: v.literal("comparison"),
    left: v.nullable(sessionId),
    right: v.nullable(sessionId),
    filter,
  }),
  v.object({ view: v.literal("payload-endpoint"), endpoint }),
  v.object({
    view: v.literal("density"),
    filter,
    between,
    slices: v.pipe(whole, v.minValue(1), v.maxValue(MOST_SLICES)),
  }),
  v.object({ view: v.literal("chains"), filter }),
  v.object({ view: v.picklist(["baseline", "grouping"]) }),
] as const;

export const insightCommands = [v.object({ type: v.literal("estimate-compression"), exchange: exchangeId })] as const;
