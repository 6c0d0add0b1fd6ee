import * as v from "valibot";
import { SIDES } from "../capture/event.ts";
import { MOST_HOSTS } from "../model/conditions.ts";
import { jsonOf } from "../model/json.ts";
import { annotationCommands } from "./annotation-decode.ts";
import {
  endpoint,
  exchangeId,
  filter,
  findingKey,
  occurringKey,
  pickedRanges,
  pickedRows,
  range,
  sortBy,
  textUpTo,
  trafficSort,
  treeNodes,
  whole,
} from "./decoded.ts";
import { deletionCommands } from "./deletion-messages.ts";
import { differenceCommands } from "./difference-messages.ts";
import { editCommands } from "./edit-messages.ts";
import { COPIED_AS, EXPORT_TABLES } from "./exchange-messages.ts";
import { experimentCommands } from "./experiment-messages.ts";
import { insightCommands, insightQueries } from "./insight-decode.ts";
import { LATENCY_COLUMNS, LONGEST_CAUSE_KEY, SLOW_CAUSES } from "./latency-messages.ts";
import { MOST_AT_ONCE, MOST_REPLAYS } from "./replay-messages.ts";
import { sessionCommands, sessionQueries } from "./session-decode.ts";

/** The most characters of a slug or a snippet's key, and of a path (PATH_MAX of Linux). */
const MOST_NAME = 200;
const MOST_PATH = 4_096;

const slug = textUpTo(MOST_NAME);

const hubQueries = [
  /** The data of all pages of the Setup Hub. */
  v.object({ view: v.literal("hub") }),
  /** The state of one target: its test and the copies of its texts. */
  v.object({ view: v.literal("target"), slug }),
] as const;

const hubCommands = [
  /** Runs the target's test. Refused with the first blocking issue of the preflight, if there is one. */
  v.object({ type: v.literal("run-test"), slug }),
  /** Adds 30 s to a running test. */
  v.object({ type: v.literal("extend-test"), slug }),
  v.object({ type: v.literal("cancel-test"), slug }),
  /** Records that a text was copied with the current port and certificate. */
  v.object({ type: v.literal("note-copy"), slug, form: textUpTo(MOST_NAME) }),
  /** Writes the certificate's public files, never the key, into an existing folder. */
  v.object({ type: v.literal("export-certificate"), folder: textUpTo(MOST_PATH) }),
  /** Replaces the root certificate: deletes the old key, exports the new root, and signs with it from now on. */
  v.object({ type: v.literal("renew-certificate") }),
  /**
   * Checks whether the system trusts the certificate. The reply's value is the result; `null` if the store cannot be
   * read.
   */
  v.object({ type: v.literal("check-trust") }),
  /**
   * Native host only: opens the hub's window, or brings it to the front. `target`: the slug of the target to show;
   * `null` keeps the shown target.
   */
  v.object({ type: v.literal("open-hub"), target: v.nullable(slug) }),
] as const;

/** The most bytes in a piece of a body. Base64 adds a third, and a message has at most 1 MB. */
const MOST_BYTES = 512 * 1_024;

/**
 * docs/security.md: the most strings in a message, keys included. `JSON.parse` takes 50 ms for 90,000 different keys.
 */
const MOST_STRINGS = 20_000;

/**
 * Parses a message of a UI client; `null` if it is invalid. Drops unknown keys, such as `__proto__`. The socket's
 * reader limits the text's length and depth.
 */
export function decodeToEngine(text: string): v.InferOutput<typeof toEngine> | null {
  const result = v.safeParse(toEngine, limitedJson(text));
  return result.success ? result.output : null;
}

/** What the sender of an invalid message waits for: the reply to a command, or a subscription's first result. */
export type Waiting = v.InferOutput<typeof waiting>;

/** What the sender of an invalid message waits for; `null` if it waits for nothing. */
export function waitingFor(text: string): Waiting | null {
  const result = v.safeParse(waiting, limitedJson(text));
  return result.success ? result.output : null;
}

/** The parsed JSON; `null` if the text is not JSON or has more than `MOST_STRINGS`. */
function limitedJson(text: string): unknown {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', endOfString(text, at) + 1)) {
    count += 1;
    if (count > MOST_STRINGS) return null;
  }
  return jsonOf(text);
}

/** The offset of the quote that ends the string that begins at `start`, or the text's length (RFC 8259, 7). */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

const waiting = v.variant("type", [
  v.object({ type: v.literal("command"), number: whole }),
  v.object({ type: v.literal("subscribe"), subscription: whole }),
]);

const latencySort = sortBy(LATENCY_COLUMNS);

const slowScope = {
  filter,
  cause: v.picklist(SLOW_CAUSES),
  endpoint: v.nullable(endpoint),
  range,
};

/**
 * A query with a range asks for a list, and is answered by `window` and `delta` messages. Other queries ask for a
 * single value.
 */
const query = v.variant("view", [
  v.object({ view: v.literal("traffic"), filter, sort: trafficSort, range }),
  v.object({ view: v.literal("latency"), filter, sort: latencySort, range }),
  /** Endpoints with too few requests for a row. Endpoints with the most requests come first. */
  v.object({ view: v.literal("collecting"), filter, range }),
  /**
   * Slow requests. Requests that lost the most time come first. `endpoint` limits the list to an endpoint, and `group`
   * to one of the endpoint's groups (`causeKeyOf`).
   */
  v.object({
    view: v.literal("slow"),
    ...slowScope,
    group: v.nullable(textUpTo(LONGEST_CAUSE_KEY)),
  }),
  /** Slow requests by endpoint, with the causes of each (`SlowGroupRecord`). */
  v.object({ view: v.literal("slow-groups"), ...slowScope }),
  v.object({ view: v.literal("messages"), exchange: exchangeId, range }),
  v.object({ view: v.literal("status") }),
  v.object({ view: v.literal("summary") }),
  /** The figures of the exchanges that match a filter. */
  v.object({ view: v.literal("figures"), filter }),
  /** The values with which a filter term can be completed. */
  v.object({ view: v.literal("occurring"), key: occurringKey }),
  /** Sums over the rows in some ranges of a traffic list. */
  v.object({ view: v.literal("picked"), ...pickedRows }),
  /** The index of an exchange in a traffic list. */
  v.object({ view: v.literal("position"), exchange: exchangeId, filter, sort: trafficSort }),
  /** The children of the open nodes in the tree of hosts and paths. */
  v.object({ view: v.literal("paths"), open: treeNodes }),
  v.object({ view: v.literal("endpoint"), endpoint }),
  v.object({ view: v.literal("exchange"), exchange: exchangeId }),
  /** Findings with an exchange that matches the filter. */
  v.object({ view: v.literal("findings"), filter }),
  /** One finding, by its key. */
  v.object({ view: v.literal("finding"), key: findingKey }),
  ...hubQueries,
  ...insightQueries,
  ...sessionQueries,
]);

const clientCertificate = v.object({ host: v.string(), file: v.string(), passphrase: v.nullable(v.string()) });
const hostAuthority = v.object({ host: v.string(), file: v.string(), certificates: v.string() });

/** The longest name of a host (RFC 1035, 2.3.4). */
const MOST_HOST = 255;

/**
 * A plain value, or a list of texts, client certificates or CA files. `settingProblem` checks the value when the
 * setting is changed.
 */
const settingValue = v.union([
  v.null(),
  v.boolean(),
  v.number(),
  v.string(),
  v.pipe(v.array(v.string()), v.readonly()),
  v.pipe(v.array(clientCertificate), v.readonly()),
  v.pipe(v.array(hostAuthority), v.readonly()),
]);

/** Commands of a user. The engine answers each command with one `reply` of the same number. */
const command = v.variant("type", [
  v.object({ type: v.literal("set-recording"), on: v.boolean() }),
  v.object({ type: v.literal("start-proxy") }),
  v.object({ type: v.literal("stop-proxy") }),
  /** Sets whether other devices may connect to the proxy (`lan`), or only this machine. Lasts until Weir exits. */
  v.object({ type: v.literal("set-reach"), lan: v.boolean() }),
  /** Imitates a slow line for all clients; `null` ends that. The engine checks the figures. Lasts until Weir exits. */
  v.object({
    type: v.literal("set-conditions"),
    conditions: v.nullable(
      v.object({
        name: v.nullable(textUpTo(40)),
        roundTrip: v.number(),
        down: v.number(),
        up: v.number(),
        hosts: v.pipe(v.array(textUpTo(MOST_HOST)), v.maxLength(MOST_HOSTS), v.readonly()),
      }),
    ),
  }),
  /** Suppresses, in this session, further advice about clients that reject our certificate for this host. */
  v.object({ type: v.literal("dismiss-advice"), host: textUpTo(MOST_HOST) }),
  /** Changes a setting. The engine checks `value`; if it is invalid, the reply says why. */
  v.object({ type: v.literal("set-setting"), key: textUpTo(100), value: settingValue }),
  /** Reads a piece of a body. The reply's value is a `BodyPiece`. */
  v.object({
    type: v.literal("read-body"),
    exchange: exchangeId,
    side: v.picklist(SIDES),
    form: v.picklist(["wire", "decoded"]),
    from: whole,
    count: v.pipe(whole, v.maxValue(MOST_BYTES)),
  }),
  /** Reads one whole message of a WebSocket exchange. The reply's value is a `BodyPiece`. */
  v.object({ type: v.literal("read-message"), exchange: exchangeId, index: whole }),
  /**
   * Reads a call to a language model. The reply's value is a `ModelCallRecord`; `null` if the exchange is none, or has
   * not ended.
   */
  v.object({ type: v.literal("read-model-call"), exchange: exchangeId }),
  /** Starts an export. The reply's value is an `ExportStarted`; `export-piece` messages follow. */
  v.variant("table", [
    v.object({
      type: v.literal("export"),
      format: v.picklist(["har", "json", "csv", "md", "html"]),
      table: v.null(),
      redact: v.boolean(),
      filter,
      /** The rows in these ranges of the traffic list; absent or `null` for all that match the filter. */
      picked: v.optional(v.nullable(v.object(pickedRanges))),
    }),
    v.object({
      type: v.literal("export"),
      format: v.picklist(["json", "csv", "md"]),
      table: v.picklist(EXPORT_TABLES),
      redact: v.boolean(),
      filter,
      picked: v.optional(v.null()),
    }),
  ]),
  v.object({ type: v.literal("cancel-export"), exportNumber: whole }),
  /**
   * Acknowledges a piece of an export. At most 8 pieces are unacknowledged, so that neither side holds the whole
   * export.
   */
  v.object({ type: v.literal("took-piece"), exportNumber: whole }),
  /** Copies the request as text, with its secrets. The reply's value is the text. */
  v.object({ type: v.literal("copy-as"), exchange: exchangeId, form: v.picklist(COPIED_AS) }),
  /** Copies the requests in these ranges of a traffic list as one text, oldest first. The reply's value is the text. */
  v.object({ type: v.literal("copy-picked"), ...pickedRows, form: v.picklist([...COPIED_AS, "url"]) }),
  /** Sends the request again. The new exchange has the tag `resent` and is in no statistic. */
  v.object({ type: v.literal("resend"), exchange: exchangeId }),
  /**
   * Sends the request `times` times, up to `atOnce` at the same time. The exchanges are tagged `resent` and are in no
   * statistic. `confirmed`: the user agreed to repeat a method that is not safe; without this, such a method is
   * refused. The reply's value is a `ReplayStarted`, and `replay-progress` messages follow. A UI client has at most one
   * run at a time.
   */
  v.object({
    type: v.literal("replay"),
    exchange: exchangeId,
    times: v.pipe(whole, v.minValue(1), v.maxValue(MOST_REPLAYS)),
    atOnce: v.pipe(whole, v.minValue(1), v.maxValue(MOST_AT_ONCE)),
    confirmed: v.boolean(),
  }),
  /** Ends the run: no more requests are sent, and the requests in flight are closed. */
  v.object({ type: v.literal("cancel-replay"), replayNumber: whole }),
  v.object({ type: v.literal("show-exchange"), exchange: exchangeId }),
  ...hubCommands,
  ...insightCommands,
  /** Copies one finding, or all (`null`), as Markdown without secrets. The reply's value is the text. */
  v.object({ type: v.literal("copy-findings"), key: v.nullable(findingKey) }),
  ...annotationCommands,
  ...deletionCommands,
  ...experimentCommands,
  ...differenceCommands,
  ...editCommands,
  ...sessionCommands,
]);

export const toEngine = v.variant("type", [
  v.object({ type: v.literal("subscribe"), subscription: whole, query }),
  v.object({ type: v.literal("unsubscribe"), subscription: whole }),
  v.object({ type: v.literal("ack"), subscription: whole, revision: whole }),
  v.object({ type: v.literal("command"), number: whole, command }),
]);
