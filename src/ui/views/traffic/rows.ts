import type { ListState, TrafficRecord } from "../../../engine/messages/messages.ts";
import type { ErrorType } from "../../../engine/model/exchange.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { hostText } from "../../format/address.ts";
import { bytesText } from "../../format/bytes.ts";
import { dateText, exactClockText } from "../../format/clock.ts";
import { countText, NO_FIGURE } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { errorTypeText } from "../../format/error-type.ts";
import { isSafeMethod } from "../../format/method.ts";
import { phasesPhrase } from "../../format/phases.ts";

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
}

/** `now` only matters to an exchange in flight: its latency so far. */
export function trafficRowOf(record: TrafficRecord, now: Instant): TrafficRow {
  const size = bytesText(record.encodedBodySize);
  const error = record.errorType !== null || (record.status ?? 0) >= 400;
  const host = hostText(record.origin);
  const latency = latencyText(record, now);
  return Object.freeze({
    number: countText(record.id),
    started: exactClockText(record.startTime),
    startedLong: dateText(record.startTime),
    method: record.method,
    methodClass: isSafeMethod(record.method) ? "" : "is-filled",
    status: statusText(record),
    statusTitle: statusTitleOf(record.status, record.errorType),
    statusClass: error ? "is-error" : "",
    path: record.tags.includes("tunnel") ? record.target : record.target || "/",
    host: record.tags.includes("tunnel") ? "" : host,
    address: `${record.origin}${record.target}`,
    marks: marksOf(record),
    type: typeText(record),
    size: record.inFlight && record.encodedBodySize === 0 ? "" : size.value,
    sizeUnit: record.inFlight && record.encodedBodySize === 0 ? "" : size.unit,
    latency,
    latencyUnit: latency === "" || latency === NO_FIGURE ? "" : "ms",
    latencyTitle: latencyTitleOf(record),
    latencyClass: latencyClassOf(record),
    phases: phasesPhrase(record.spans),
  });
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

function latencyText({ latency, inFlight, startTime }: TrafficRecord, now: Instant): string {
  if (latency !== null) return durationText(latency);
  const seconds = Math.floor((now - startTime) / 1000);
  if (inFlight) return seconds < 1 ? "" : durationText(seconds * 1000);
  return NO_FIGURE;
}

function latencyClassOf({ slow, inFlight }: TrafficRecord): string {
  if (inFlight) return "is-running";
  return slow ? "is-slow" : "";
}

function latencyTitleOf({ latency, inFlight, slow }: TrafficRecord): string {
  if (inFlight) return "In flight, so far";
  if (latency === null) return "How long it lived is no latency";
  return slow ? "Slower than its kind" : "";
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
  imported: "imported",
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

/** What stands under the last row; empty where all there is is seen. */
export function footOf({ matched, total }: ListState): string {
  const left = total - matched;
  return left > 0 ? `${countText(left)} ${left === 1 ? "exchange does" : "exchanges do"} not match` : "";
}
