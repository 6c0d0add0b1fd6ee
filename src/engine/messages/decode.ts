import * as v from "valibot";
import { SIDES } from "../capture/event.ts";
import { annotationCommands } from "./annotation-decode.ts";
import {
  endpoint,
  exchangeId,
  filter,
  findingKey,
  occurringKey,
  range,
  sortBy,
  stretches,
  trafficSort,
  treePlaces,
  whole,
} from "./decoded.ts";
import { COPIED_AS } from "./exchange-messages.ts";
import { hubCommands, hubQueries } from "./hub-decode.ts";
import { insightCommands, insightQueries } from "./insight-decode.ts";
import { LONGEST_CAUSE_KEY } from "./latency-messages.ts";
import { EXPORT_TABLES, type ToEngine } from "./messages.ts";
import { sessionCommands, sessionQueries } from "./session-decode.ts";

/** Default; not from a specification: bytes of a body's piece. Base64 adds a third, and a message has at most 1 MB. */
const MOST_BYTES = 512 * 1_024;

/**
 * Parses a message of a UI client; `null` if it is invalid. Drops unknown keys, such as `__proto__`. The socket's
 * reader limits the text's length and depth.
 */
export function decodeToEngine(text: string): ToEngine | null {
  const json = jsonOf(text);
  const result = v.safeParse(toEngine, json);
  return result.success ? result.output : null;
}

/** What the sender of an invalid message waits for: the reply to a command, or a subscription's first result. */
export type Waiting = v.InferOutput<typeof waiting>;

/** Returns `null` if the sender waits for nothing. */
export function waitingFor(text: string): Waiting | null {
  const result = v.safeParse(waiting, jsonOf(text));
  return result.success ? result.output : null;
}

const waiting = v.variant("type", [
  v.object({ type: v.literal("command"), number: whole }),
  v.object({ type: v.literal("subscribe"), subscription: whole }),
]);

const latencySort = sortBy(["endpoint", "requests", "p50", "p95", "p99", "avgSize", "errorRate"]);

const slowScope = {
  filter,
  cause: v.picklist(["all", "server", "transfer", "connection", "weir"]),
  endpoint: v.nullable(endpoint),
  range,
};

const query = v.variant("view", [
  v.object({ view: v.literal("traffic"), filter, sort: trafficSort, range }),
  v.object({ view: v.literal("latency"), filter, sort: latencySort, range }),
  v.object({ view: v.literal("collecting"), filter, range }),
  v.object({
    view: v.literal("slow"),
    ...slowScope,
    group: v.nullable(v.pipe(v.string(), v.maxLength(LONGEST_CAUSE_KEY))),
  }),
  v.object({ view: v.literal("slow-groups"), ...slowScope }),
  v.object({ view: v.literal("messages"), exchange: exchangeId, range }),
  v.object({ view: v.literal("status") }),
  v.object({ view: v.literal("summary") }),
  v.object({ view: v.literal("figures"), filter }),
  v.object({ view: v.literal("occurring"), key: occurringKey }),
  v.object({ view: v.literal("picked"), filter, sort: trafficSort, stretches }),
  v.object({ view: v.literal("place"), exchange: exchangeId, filter, sort: trafficSort }),
  v.object({ view: v.literal("paths"), open: treePlaces }),
  v.object({ view: v.literal("endpoint"), endpoint }),
  v.object({ view: v.literal("exchange"), exchange: exchangeId }),
  v.object({ view: v.literal("findings"), filter }),
  v.object({ view: v.literal("finding"), key: findingKey }),
  ...hubQueries,
  ...insightQueries,
  ...sessionQueries,
]);

const clientCertificate = v.object({ host: v.string(), file: v.string(), passphrase: v.nullable(v.string()) });

/** The longest name of a host (RFC 1035, 2.3.4). */
const MOST_HOST = 255;

/**
 * A setting is a plain value, or a list of texts or client certificates. Which of them is checked when the setting is
 * set.
 */
const settingValue = v.union([
  v.null(),
  v.boolean(),
  v.number(),
  v.string(),
  v.array(v.string()),
  v.array(clientCertificate),
]);

const command = v.variant("type", [
  v.object({ type: v.literal("set-recording"), on: v.boolean() }),
  v.object({ type: v.literal("start-proxy") }),
  v.object({ type: v.literal("stop-proxy") }),
  v.object({ type: v.literal("set-reach"), lan: v.boolean() }),
  v.object({ type: v.literal("clear") }),
  v.object({ type: v.literal("undo-clear") }),
  v.object({ type: v.literal("new-session") }),
  v.object({ type: v.literal("dismiss-advice"), host: v.pipe(v.string(), v.maxLength(MOST_HOST)) }),
  v.object({ type: v.literal("set-setting"), key: v.pipe(v.string(), v.maxLength(100)), value: settingValue }),
  v.object({
    type: v.literal("read-body"),
    exchange: exchangeId,
    side: v.picklist(SIDES),
    form: v.picklist(["wire", "decoded"]),
    from: whole,
    count: v.pipe(whole, v.maxValue(MOST_BYTES)),
  }),
  v.object({ type: v.literal("read-message"), exchange: exchangeId, index: whole }),
  v.variant("table", [
    v.object({
      type: v.literal("export"),
      format: v.picklist(["har", "json", "csv", "md"]),
      table: v.null(),
      redact: v.boolean(),
      filter,
    }),
    v.object({
      type: v.literal("export"),
      format: v.picklist(["json", "csv", "md"]),
      table: v.picklist(EXPORT_TABLES),
      redact: v.boolean(),
      filter,
    }),
  ]),
  v.object({ type: v.picklist(["cancel-export", "took-piece"]), exportNumber: whole }),
  v.object({ type: v.literal("copy-as"), exchange: exchangeId, form: v.picklist(COPIED_AS) }),
  v.object({ type: v.literal("resend"), exchange: exchangeId }),
  v.object({ type: v.literal("show-exchange"), exchange: exchangeId }),
  ...hubCommands,
  ...insightCommands,
  v.object({ type: v.literal("copy-findings"), key: v.nullable(findingKey) }),
  ...annotationCommands,
  ...sessionCommands,
]);

const toEngine = v.variant("type", [
  v.object({ type: v.literal("subscribe"), subscription: whole, query }),
  v.object({ type: v.literal("unsubscribe"), subscription: whole }),
  v.object({ type: v.literal("ack"), subscription: whole, revision: whole }),
  v.object({ type: v.literal("command"), number: whole, command }),
]);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
