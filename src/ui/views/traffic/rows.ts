import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import { type ErrorType, protocolName } from "../../../engine/model/exchange.ts";
import type { Phase } from "../../../engine/model/phases.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { bytesText } from "../../format/bytes.ts";
import { dateText, exactClockText } from "../../format/clock.ts";
import { countText, NO_FIGURE } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { errorTypeText } from "../../format/error-type.ts";
import { MARK_NAMES } from "../../format/mark.ts";
import { isSafeMethod } from "../../format/method.ts";
import { phasesPhrase } from "../../format/phases.ts";
import { hostBeside, requestAddress } from "../../format/request-address.ts";
import { type ListNow, unansweredText } from "../list-now.ts";
import type { ColumnName } from "./columns.ts";

/** A row of the list: text only. */
export interface TrafficRow {
  readonly number: string;
  readonly started: string;
  readonly startedLong: string;
  readonly method: string;
  readonly methodClass: string;
  readonly status: string;
  readonly statusTitle: string;
  readonly statusClass: string;
  readonly path: string;
  readonly host: string;
  readonly address: string;
  readonly marks: string;
  readonly type: string;
  readonly size: string;
  readonly sizeUnit: string;
  readonly latency: string;
  readonly latencyUnit: string;
  readonly latencyTitle: string;
  readonly latencyClass: string;
  /** The text twin of the bar. */
  readonly phases: string;
  /** What it is marked with, in a word; empty: nothing. */
  readonly mark: string;
  readonly markClass: string;
  readonly comment: string;
  readonly commentClass: string;
  /** Of these only what is in sight is text, else empty. */
  readonly mime: string;
  readonly protocol: string;
  readonly client: string;
  readonly server: string;
  readonly requestSize: string;
  readonly requestSizeUnit: string;
  readonly dns: string;
  readonly connect: string;
  readonly tls: string;
  readonly ttfb: string;
  readonly transfer: string;
}

/** `now` only matters to an exchange in flight of the session that is recorded: its latency so far. `shown`: columns that are in sight. */
export function trafficRowOf(record: TrafficRecord, now: Instant, shown: ReadonlySet<ColumnName>): TrafficRow {
  const size = bytesText(record.encodedBodySize);
  const error = record.errorType !== null || (record.status ?? 0) >= 400;
  const latency = latencyText(record, now);
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
    statusTitle: statusTitleOf(record.status, record.errorType),
    statusClass: error ? "is-error" : "",
    path: record.target || "/",
    host: hostBeside(record),
    address: requestAddress(record),
    marks: marksOf(record),
    type: typeText(record),
    size: record.inFlight && record.encodedBodySize === 0 ? "" : size.value,
    sizeUnit: record.inFlight && record.encodedBodySize === 0 ? "" : size.unit,
    latency,
    latencyUnit: latency === "" || latency === NO_FIGURE ? "" : "ms",
    latencyTitle: latencyTitleOf(record),
    latencyClass: latencyClassOf(record),
    phases: phasesPhrase(record.spans),
    mark: mark === null ? "" : MARK_NAMES[mark],
    markClass: mark === null ? "" : `is-${mark}`,
    comment,
    commentClass: comment === "" ? "" : "is-there",
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
  });
}

function clientText({ client, program }: TrafficRecord): string {
  return program === null ? client : `${program} · ${client}`;
}

const NO_SIZE = Object.freeze({ value: "", unit: "" });

/** In ms, as the latency beside it; a dash where the phase did not happen. */
function phaseText({ spans, inFlight }: TrafficRecord, name: Phase): string {
  const span = spans.find(({ phase }) => phase === name);
  if (span === undefined) return inFlight ? "" : NO_FIGURE;
  return durationText(span.to - span.from);
}

function statusText({ status, errorType, inFlight }: TrafficRecord): string {
  if (status !== null) return String(status);
  if (errorType !== null) return "failed";
  return inFlight ? "…" : "–";
}

function statusTitleOf(status: number | null, errorType: ErrorType | null): string {
  if (errorType !== null) return errorTypeText(errorType);
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

function latencyTitleOf({ latency, failedAfter, errorType, inFlight, sessionEnd, slow }: TrafficRecord): string {
  if (inFlight) return sessionEnd === null ? "In flight, so far" : "In flight when its session ended";
  if (failedAfter !== null) return `Failed after ${durationText(failedAfter)} ms, so without a latency`;
  if (errorType !== null) return "It failed, so without a latency";
  if (latency === null) return "How long it lived is no latency";
  return slow ? "Slow: over its endpoint’s p95, or over the fixed limit" : "";
}

/** What sets the exchange apart, in words. */
function marksOf({ tags, oversized }: TrafficRecord): string {
  const words = tags.flatMap((tag) => MARKS[tag] ?? []);
  if (oversized) words.push("oversized");
  return words.join(", ");
}

const MARKS: Readonly<Partial<Record<TrafficRecord["tags"][number], string>>> = {
  tunnel: "tunnel",
  malformed: "malformed",
  probe: "probe",
  resent: "resent",
  "https-in-clear": "https in clear",
  "tls-exception": "certificate not verified",
};

/** "json" of "application/problem+json", "svg" of "image/svg+xml". */
function typeText({ contentType, tags }: TrafficRecord): string {
  if (tags.includes("websocket")) return "websocket";
  if (contentType === null) return "";
  const subtype = contentType.slice(contentType.indexOf("/") + 1);
  const suffix = /\+(json|xml)$/.exec(subtype)?.[1];
  if (contentType === "image/svg+xml") return "svg";
  return (suffix ?? subtype).replace(/^(x-|vnd\.)/, "");
}

/** What stands under the last row; empty where all there is is seen. A problem: the filter is not understood, or nobody answers. */
export function footOf(list: ListNow): string {
  const { matched, total } = list.state;
  if (list.left) return unansweredText(list);
  if (list.problem !== null) return "The filter is not understood: the list stays as it was";
  const left = total - matched;
  return left > 0 ? `${countText(left)} ${left === 1 ? "exchange does" : "exchanges do"} not match` : "";
}
