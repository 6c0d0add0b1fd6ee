import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import { clientCarrierLine, serverCarrierLine } from "../../format/carrier.ts";
import { exactClockText } from "../../format/clock.ts";
import { durationText } from "../../format/duration.ts";
import { errorTypeText } from "../../format/error-type.ts";
import { isSafeMethod } from "../../format/method.ts";
import { phasesPhrase } from "../../format/phases.ts";
import { hostBeside, requestAddress } from "../../format/request-address.ts";
import { type Bar, type Scale, xOf } from "./bars.ts";

/** A request of the timeline: who at the left, how long beside its bar. */
export interface TimelineRow {
  readonly key: ExchangeId;
  readonly method: string;
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
  readonly status: string;
  readonly failed: boolean;
  /** "358 ms", what it lasted so far, or nothing. */
  readonly length: string;
  readonly slow: boolean;
  /** Everything the drawing says, and what it cannot: exact figures, reuse, what it follows. */
  readonly title: string;
}

/** `before` names the exchange that this one follows, where it is known. */
export function timelineRowOf(record: TimelineRecord, before: string | null, now: Instant): TimelineRow {
  return Object.freeze({
    key: record.id,
    method: record.method,
    changes: !isSafeMethod(record.method),
    path: record.target,
    host: hostBeside(record),
    status: statusText(record),
    failed: record.errorType !== null || (record.status ?? 0) >= 400,
    length: lengthText(record, now),
    slow: record.slow,
    title: titleOf(record, before, now),
  });
}

/** From its start to its end; while it is in flight, to now or to where its session ended. */
export function barOf({ startTime, endTime, sessionEnd, spans, wait }: TimelineRecord, now: Instant): Bar {
  return Object.freeze({ start: startTime, end: Math.max(startTime, endTime ?? sessionEnd ?? now), spans, wait });
}

/** Widths of a length beside its bar, px: the digits, "so far", a slow mark, and the distance from the bar. */
const LENGTH_ROOM = 64;
const SO_FAR_ROOM = 48;
const SLOW_ROOM = 20;
const BESIDE = 8;
/** A link leaves the bar's end, and turns down at once; the length keeps out of its way. */
const BESIDE_LINK = 12;

/** Where the length of an exchange stands. */
export interface LengthPlace {
  readonly kind: "" | "is-inside";
  readonly style: { readonly left: string; readonly right: string };
  /** px that it takes left of the bar. */
  readonly before: number;
}

/**
 * Right of the bar, left of it where there is no room or a link would run through it, on it where there is no room anywhere.
 * `link`: where the farthest link from its end turns down, px; `null`: none begins there.
 */
export function lengthPlaceOf(
  bar: Bar,
  { slow, inFlight, link }: { readonly slow: boolean; readonly inFlight: boolean; readonly link: number | null },
  scale: Scale,
): LengthPlace {
  const room = LENGTH_ROOM + (slow ? SLOW_ROOM : 0) + (inFlight ? SO_FAR_ROOM : 0);
  const end = Math.max(0, xOf(bar.end, scale)) + (link === null ? BESIDE : BESIDE_LINK);
  const start = xOf(bar.start, scale);
  const isCrossed = link !== null && link > end && start >= room;
  if (end + room <= scale.width && !isCrossed) return placed("", `${Math.round(end)}px`, "auto");
  if (start < room) return placed("is-inside", "auto", `${BESIDE}px`);
  return placed("", "auto", `${Math.round(scale.width - start + BESIDE)}px`, room);
}

function placed(kind: LengthPlace["kind"], left: string, right: string, before = 0): LengthPlace {
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
  const parts = [`${method} ${requestAddress(record)}`, `started ${exactClockText(startTime)}`];
  const length = lengthText(record, now);
  if (length !== "") parts.push(`${length}${slow ? ", slow" : ""}`);
  if (record.wait !== null) parts.push(`waited ${durationText(record.wait.to - record.wait.from)} ms`);
  if (spans.length > 0) parts.push(phasesPhrase(spans));
  parts.push(...[serverCarrierLine(record), clientCarrierLine(record)].filter((line) => line !== ""));
  if (reused === true) parts.push("connection reused, so no DNS, Connect and TLS");
  if (errorType !== null) parts.push(errorTypeText(errorType));
  if (follows !== null) parts.push(followsText(follows, before));
  return parts.join("\n");
}

function followsText({ kind, gap }: NonNullable<TimelineRecord["follows"]>, before: string | null): string {
  const whom = before ?? "the request before it in its chain";
  const proof = kind === "proven" ? "proven by a value of its response" : "one after the other, nothing proves more";
  return `follows ${whom} after ${durationText(Math.max(0, gap))} ms: ${proof}`;
}
