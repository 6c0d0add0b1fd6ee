import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import { protocolName } from "../../../engine/model/exchange.ts";
import { isThisMachine } from "../../../engine/model/host-port.ts";
import type { Phase } from "../../../engine/model/phases.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { bytesText } from "../../format/bytes.ts";
import { dateText, exactClockText } from "../../format/clock.ts";
import { countPhrase, countText, NO_FIGURE } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { withOperation } from "../../format/endpoint.ts";
import { failureText } from "../../format/failure.ts";
import { MARK_NAMES } from "../../format/mark.ts";
import { isSafeMethod } from "../../format/method.ts";
import { lengthIn, phasesPhrase, waitName } from "../../format/phases.ts";
import { repairsText } from "../../format/repairs.ts";
import { hostBeside, requestAddress } from "../../format/request-address.ts";
import { uncertaintyText } from "../../format/uncertainty.ts";
import { type ListNow, unansweredText } from "../list-now.ts";
import type { ColumnName } from "./columns.ts";

/** A row of the list: text only. */
export type TrafficRow = ReturnType<typeof trafficRowOf>;

/**
 * The row of an exchange. `now` is used only for exchanges in flight of the current session, for their latency so far.
 * `shown`: the visible columns. `isInFinding`: whether the exchange belongs to the selected finding.
 */
export function trafficRowOf(record: TrafficRecord, now: Instant, shown: ReadonlySet<ColumnName>, isInFinding = false) {
  const size = bytesText(record.encodedBodySize);
  const error = record.errorType !== null || (record.status ?? 0) >= 400;
  const latency = latencyText(record, now);
  const hasLatency = latency !== "" && latency !== NO_FIGURE;
  const { mark, comment } = record;
  const sent = shown.has("requestSize") && record.requestBodySize > 0 ? bytesText(record.requestBodySize) : NO_SIZE;
  const phase = (name: Phase): string => (shown.has(name) ? phaseText(record, name) : "");
  return Object.freeze({
    number: countText(record.id),
    started: exactClockText(record.startTime),
    startedLong: dateText(record.startTime),
    method: record.method,
    methodClass: isSafeMethod(record.method) ? "" : "is-filled",
    status: statusText(record),
    statusTitle: statusTitleOf(record),
    statusClass: error ? "is-error" : "",
    /** The target, and the operation if there is one. */
    path: withOperation(record.target || "/", record.operation),
    host: hostBeside(record),
    /** The URL, and the operation if there is one. */
    address: withOperation(requestAddress(record), record.operation),
    marks: isInFinding ? [marksOf(record), IN_FINDING].filter((text) => text !== "").join(", ") : marksOf(record),
    /**
     * Class of the cell Path: "is-there" if there is a comment, "is-in-finding" if the exchange belongs to the selected
     * finding.
     */
    whereClass: `${comment === "" ? "" : "is-there"} ${isInFinding ? "is-in-finding" : ""}`.trim(),
    type: typeText(record),
    size: record.inFlight && record.encodedBodySize === 0 ? "" : size.value,
    sizeUnit: record.inFlight && record.encodedBodySize === 0 ? "" : size.unit,
    latency,
    /** "± " before an uncertain latency; the title says by how much. */
    uncertain: record.uncertainty > 0 && hasLatency ? "± " : "",
    latencyUnit: hasLatency ? "ms" : "",
    latencyTitle: latencyTitleOf(record),
    latencyClass: latencyClassOf(record),
    uncertainTitle: uncertainTitleOf(record),
    /** The text alternative of the bar. */
    phases: barText(record),
    /** The name of the exchange's mark; empty if there is none. */
    mark: mark === null ? "" : MARK_NAMES[mark],
    markClass: mark === null ? "" : `is-${mark}`,
    comment,
    commentClass: comment === "" ? "" : "is-there",
    // Texts of columns that are hidden at first: empty unless their column is visible.
    mime: shown.has("mime") ? (record.contentType ?? "") : "",
    protocol: shown.has("protocol") ? protocolName(record.protocol) : "",
    client: shown.has("client") ? clientText(record) : "",
    server: shown.has("server") ? (record.server ?? "") : "",
    requestSize: sent.value,
    requestSizeUnit: sent.unit,
    dns: phase("dns"),
    connect: phase("connect"),
    tls: phase("tls"),
    ttfb: phase("ttfb"),
    transfer: phase("transfer"),
    weir: phase("weir"),
  });
}

/** The word for an exchange of the selected finding, because colour alone is not accessible. */
const IN_FINDING = "finding";

function clientText({ client, program }: TrafficRecord): string {
  if (program === null && !isThisMachine(client.split(" ", 1)[0] ?? "")) return client;
  return `${program ?? "unknown"} · ${client}`;
}

const NO_SIZE = Object.freeze({ value: "", unit: "" });

/** "Waiting 12 ms, TTFB 30 ms; times uncertain by up to 9 ms". */
function barText({ wait, spans, uncertainty }: TrafficRecord): string {
  const waited = wait === null ? "" : `${waitName(wait)} ${durationText(wait.to - wait.from)} ms`;
  const parts = [waited, phasesPhrase(spans)].filter((text) => text !== "").join(", ");
  return uncertainty === 0 ? parts : `${parts}; ${uncertaintyText(uncertainty)}`;
}

/** The length of a phase in ms; "" if it may still happen, a dash if it did not happen. */
function phaseText({ spans, inFlight, uncertainty }: TrafficRecord, name: Phase): string {
  const length = lengthIn(spans, name);
  if (length === null) return inFlight ? "" : NO_FIGURE;
  return `${uncertainty > 0 ? "± " : ""}${durationText(length)}`;
}

function statusText({ status, errorType, inFlight }: TrafficRecord): string {
  if (status !== null) return String(status);
  if (errorType !== null) return "failed";
  return inFlight ? "…" : "–";
}

function statusTitleOf({ status, errorType, failedAfter }: TrafficRecord): string {
  if (errorType !== null) return failureText(errorType, failedAfter);
  return status === null ? "In flight" : `Status ${status}`;
}

function latencyText({ latency, failedAfter, inFlight, sessionEnd, startTime }: TrafficRecord, now: Instant): string {
  const length = latency ?? failedAfter;
  if (length !== null) return durationText(length);
  const seconds = Math.floor(((sessionEnd ?? now) - startTime) / 1000);
  if (inFlight) return seconds < 1 ? "" : durationText(seconds * 1000);
  return NO_FIGURE;
}

function latencyClassOf({ slow, inFlight, failedAfter }: TrafficRecord): string {
  if (inFlight) return "is-running";
  if (failedAfter !== null) return "is-failed";
  return slow ? "is-slow" : "";
}

function latencyTitleOf(record: TrafficRecord): string {
  const { uncertainty } = record;
  const title = latencyNoteOf(record);
  if (uncertainty === 0) return title;
  const why = uncertainTitleOf(record);
  return title === "" ? why : `${title}; ${why}`;
}

/** What the sign "±" before a time means; "" without it. */
function uncertainTitleOf({ uncertainty }: TrafficRecord): string {
  return uncertainty === 0 ? "" : `± means ${uncertaintyText(uncertainty)}, because Weir was busy`;
}

function latencyNoteOf({ latency, failedAfter, errorType, inFlight, sessionEnd, slow, spans }: TrafficRecord): string {
  if (inFlight) return sessionEnd === null ? "In flight: the time so far" : "In flight when the session ended";
  if (failedAfter !== null) return `Failed after ${durationText(failedAfter)} ms`;
  if (errorType !== null) return "Failures have no latency";
  if (latency === null) return streamTitle(spans);
  return slow ? "Slow: over its endpoint's p95, or over the fixed threshold" : "";
}

/** The note in place of a stream's latency: the time to its first byte, if known. */
function streamTitle(spans: TrafficRecord["spans"]): string {
  const ttfb = spans.find(({ phase }) => phase === "ttfb");
  const lifetime = "Streams have no latency";
  return ttfb === undefined ? lifetime : `TTFB ${durationText(ttfb.to - ttfb.from)} ms. ${lifetime}`;
}

/** What is notable about the exchange, as text. */
function marksOf({ tags, oversized, errorType, status }: TrafficRecord): string {
  const isTold = tags.includes("not-http") || tags.includes("no-request");
  const words = tags.flatMap((tag) => (tag === "tunnel" && isTold ? [] : (MARKS[tag] ?? [])));
  const repairs = repairsText(tags);
  if (repairs !== "") words.push(`repaired: ${repairs}`);
  if (oversized) words.push("oversized");
  // The status that the server sent does not show the failure.
  if (errorType?.startsWith("response-") === true && status !== null && status < 400) words.push("cut short");
  return words.join(", ");
}

const MARKS: Readonly<Partial<Record<TrafficRecord["tags"][number], string>>> = {
  tunnel: "tunnel",
  malformed: "malformed",
  probe: "probe",
  resent: "resent",
  refused: "refused by Weir",
  "head-cut": "headers kept in part",
  "https-in-clear": "https URL without TLS",
  "tls-exception": "certificate not verified",
  "browser-cache": "from the browser's cache",
  mocked: "mocked by a test",
  unit: "experiment",
  held: "held",
  "no-request": "closed without a request",
  "not-http": "not HTTP; let this host pass through",
};

/** The type in short: "json" of "application/problem+json", "svg" of "image/svg+xml". */
function typeText({ contentType, tags }: TrafficRecord): string {
  if (tags.includes("websocket")) return "websocket";
  if (contentType === null) return "";
  const subtype = contentType.slice(contentType.indexOf("/") + 1);
  const suffix = /\+(json|xml)$/.exec(subtype)?.[1];
  if (contentType === "image/svg+xml") return "svg";
  return (suffix ?? subtype).replace(/^(x-|vnd\.)/, "");
}

/**
 * The text below the last row: how many exchanges are left out, or why the rows are outdated; "" if neither. `hides`:
 * whether the exchanges of hidden hosts are left out.
 */
export function footerOf(list: ListNow, filter: string, hides: boolean): string {
  const { matched, total } = list.state;
  if (list.isDisconnected) return unansweredText(list);
  if (list.problem !== null) return `Filter not applied: ${list.problem} Showing the previous results.`;
  const left = total - matched;
  if (left <= 0) return "";
  if (hides && filter === "") return `${countPhrase(left, "exchange is", "exchanges are")} hidden`;
  const text = `${countPhrase(left, "exchange does", "exchanges do")} not match`;
  return hides ? `${text} or ${left === 1 ? "is" : "are"} hidden` : text;
}
