import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import { errorTypeText } from "../../../engine/model/error-text.ts";
import type { Wait } from "../../../engine/model/phases.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { exactClockText } from "../../format/clock.ts";
import { clientConnectionLine, serverConnectionLine } from "../../format/connection-label.ts";
import { durationText } from "../../format/duration.ts";
import { withOperation } from "../../format/endpoint.ts";
import { isSafeMethod } from "../../format/method.ts";
import { phasesPhrase } from "../../format/phases.ts";
import { hostBeside, requestAddress } from "../../format/request-address.ts";
import { type Bar, type Scale, xOf } from "./bars.ts";

/** A request in the timeline: texts at the left, and the length beside the bar. */
export type TimelineRow = ReturnType<typeof timelineRowOf>;

/** The row of a request. `before`: the name of the exchange that this exchange follows; `null` if unknown. */
export function timelineRowOf(record: TimelineRecord, before: string | null, now: Instant, inFinding = false) {
  return Object.freeze({
    key: record.id,
    method: record.method,
    changes: !isSafeMethod(record.method),
    path: withOperation(record.target, record.operation),
    host: hostBeside(record),
    status: statusText(record),
    failed: record.errorType !== null || (record.status ?? 0) >= 400,
    /** The latency or duration, "358 ms"; in flight the time so far, "" during the first second. */
    length: lengthText(record, now),
    slow: record.slow,
    /** Whether the exchange belongs to the selected finding. */
    inFinding,
    /** The text alternative of the drawing: exact figures, reuse, and the exchange that this exchange follows. */
    title: `${titleOf(record, before, now)}${inFinding ? "\nin the selected finding" : ""}`,
  });
}

/**
 * The bar of an exchange, from its start to its end; for an exchange in flight, to the current time or the session's
 * end.
 */
export function barOf({ startTime, endTime, sessionEnd, spans, wait, slowed }: TimelineRecord, now: Instant): Bar {
  return Object.freeze({
    start: startTime,
    end: Math.max(startTime, endTime ?? sessionEnd ?? now),
    spans,
    wait,
    slowed,
  });
}

/** Width of the text for an exchange's length (its latency or duration), in px. */
const LENGTH_ROOM = 64;
/** Widths of "so far" and of the mark for a slow exchange, in px. */
const SO_FAR_ROOM = 48;
const SLOW_ROOM = 20;
/** Distance of the text from the bar, in px. */
const BESIDE = 8;
/** Room in px for a link that starts at the bar's end and turns down at once. */
const BESIDE_LINK = 12;

/** Where the text of an exchange's length is shown. */
export interface LengthPosition {
  readonly kind: "" | "is-inside";
  readonly style: { readonly left: string; readonly right: string };
  /** Width that the text takes to the left of the bar, in px. */
  readonly before: number;
}

/**
 * The place of the text: right of the bar; left of the bar if there is no room or a link would cross the text; on the
 * bar if there is no room on either side. `link`: where, in px, the farthest link turns down; `null`: no link.
 */
export function lengthPositionOf(
  bar: Bar,
  { slow, inFlight, link }: { readonly slow: boolean; readonly inFlight: boolean; readonly link: number | null },
  scale: Scale,
): LengthPosition {
  const room = LENGTH_ROOM + (slow ? SLOW_ROOM : 0) + (inFlight ? SO_FAR_ROOM : 0);
  const end = Math.max(0, xOf(bar.end, scale)) + (link === null ? BESIDE : BESIDE_LINK);
  const start = xOf(bar.start, scale);
  const isCrossed = link !== null && link > end && start >= room;
  if (end + room <= scale.width && !isCrossed) return positioned("", `${Math.round(end)}px`, "auto");
  if (start < room) return positioned("is-inside", "auto", `${BESIDE}px`);
  return positioned("", "auto", `${Math.round(scale.width - start + BESIDE)}px`, room);
}

function positioned(kind: LengthPosition["kind"], left: string, right: string, before = 0): LengthPosition {
  return Object.freeze({ kind, style: Object.freeze({ left, right }), before });
}

function statusText({ status, errorType, endTime }: TimelineRecord): string {
  if (status !== null) return String(status);
  if (errorType !== null) return "failed";
  return endTime === null ? "…" : "–";
}

function lengthText({ latency, startTime, endTime, sessionEnd }: TimelineRecord, now: Instant): string {
  if (latency !== null) return `${durationText(latency)} ms`;
  const lasted = (endTime ?? sessionEnd ?? now) - startTime;
  if (endTime !== null) return `${durationText(lasted)} ms`;
  return lasted < 1000 ? "" : `${durationText(Math.floor(lasted / 1000) * 1000)} ms so far`;
}

function titleOf(record: TimelineRecord, before: string | null, now: Instant): string {
  const { method, startTime, errorType, slow, spans, reused, follows } = record;
  const parts = [
    `${method} ${withOperation(requestAddress(record), record.operation)}`,
    `started ${exactClockText(startTime)}`,
  ];
  const length = lengthText(record, now);
  if (length !== "") parts.push(`${length}${slow ? ", slow" : ""}`);
  if (record.wait !== null) parts.push(waitedText(record.wait));
  if (record.slowed.length > 0) parts.push(`slowed on purpose for ${durationText(lengthOf(record.slowed))} ms`);
  if (spans.length > 0) parts.push(phasesPhrase(spans));
  parts.push(...[serverConnectionLine(record), clientConnectionLine(record)].filter((line) => line !== ""));
  if (reused === true) parts.push("connection reused: no DNS, Connect or TLS");
  if (errorType !== null) parts.push(errorTypeText(errorType));
  if (follows !== null) parts.push(followsText(follows, before));
  return parts.join("\n");
}

function lengthOf(stretches: TimelineRecord["slowed"]): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}

function waitedText({ waitedFor, from, to }: Wait): string {
  return `waited ${waitedFor === "browser" ? "in the browser " : ""}${durationText(to - from)} ms`;
}

function followsText({ kind, gap }: NonNullable<TimelineRecord["follows"]>, before: string | null): string {
  const whom = before ?? "the previous request of its chain";
  const proof = kind === "proven" ? "proven to need its response" : "sequential, not proven to need its response";
  return `follows ${whom} after ${durationText(Math.max(0, gap))} ms, ${proof}`;
}
