import * as v from "valibot";
import type { Instant } from "../model/units.ts";
import { endpoint, exchangeId, filter, range, sortBy, whole } from "./decoded.ts";

/** Our choices: characters of a session's name, of its notes, of a text to look for; parts of the timeline's strip. */
const MOST_NAME = 200;
const MOST_NOTES = 10_000;
const MOST_SEARCHED = 1_000;
const MOST_SLICES = 2_000;

/** session-messages.ts: characters of a piece; each takes at most 6 bytes of a message, which has at most 1 MB. */
const MOST_PIECE = 150_000;

const instant = v.pipe(
  v.number(),
  v.finite(),
  v.transform((time) => time as Instant),
);
const between = v.nullable(v.object({ from: instant, to: instant }));
const session = v.pipe(v.string(), v.maxLength(100));

/** insight-messages.ts and session-messages.ts. */
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
  v.object({ view: v.literal("repeats"), range }),
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
    left: v.nullable(session),
    right: v.nullable(session),
    filter,
    sort: sortBy(["endpoint", "requests", "p50", "p95", "p99", "avgSize", "errorRate"]),
    range,
  }),
  v.object({ view: v.literal("payload-endpoint"), endpoint }),
  v.object({
    view: v.literal("density"),
    filter,
    between,
    slices: v.pipe(whole, v.minValue(1), v.maxValue(MOST_SLICES)),
  }),
  v.object({ view: v.picklist(["chains", "baseline", "grouping", "sessions", "shown"]) }),
] as const;

/** insight-messages.ts and session-messages.ts. */
export const insightCommands = [
  v.object({ type: v.literal("estimate-compression"), exchange: exchangeId }),
  v.object({ type: v.picklist(["open-session", "delete-session"]), session }),
  v.object({ type: v.picklist(["show-current", "dismiss-recovered", "delete-captured"]) }),
  v.object({
    type: v.literal("describe-session"),
    session,
    name: v.pipe(v.string(), v.maxLength(MOST_NAME)),
    notes: v.pipe(v.string(), v.maxLength(MOST_NOTES)),
  }),
  v.object({ type: v.literal("set-baseline"), session, on: v.boolean() }),
  v.object({
    type: v.literal("import-har"),
    fileName: v.pipe(v.string(), v.maxLength(MOST_NAME)),
    as: v.picklist(["opened", "completed"]),
  }),
  v.object({
    type: v.literal("import-piece"),
    importNumber: whole,
    text: v.pipe(v.string(), v.maxLength(MOST_PIECE)),
    last: v.boolean(),
  }),
  v.object({ type: v.literal("cancel-import"), importNumber: whole }),
  v.object({ type: v.literal("search"), text: v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_SEARCHED)) }),
  v.object({ type: v.literal("cancel-search"), searchNumber: whole }),
] as const;
