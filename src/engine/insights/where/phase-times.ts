import { type Exchange, hasOneOf, type Tag } from "../../model/exchange.ts";
import {
  eachOverhead,
  overheadOf,
  slowedResponseOf,
  slowedStretchesOf,
  slowedUploadOf,
  waitOf,
} from "../../model/phases.ts";
import type { Bytes, Instant, Milliseconds } from "../../model/units.ts";
import type { WaitPhase } from "../../model/where.ts";
import { type Microseconds, microsecondsOf } from "../microseconds.ts";

export type PhaseTimes = ReadonlyMap<WaitPhase, Microseconds>;

/**
 * How much of the time between two moments an exchange spent in each phase. Adds up to `to - from`. The phase in which
 * a request failed lasts until its end.
 */
export function phaseTimesOf(exchange: Exchange, from: Microseconds, to: Microseconds): PhaseTimes {
  const times = new Map<WaitPhase, Microseconds>();
  const add = (phase: WaitPhase, time: Microseconds): void => {
    if (time > 0) times.set(phase, (times.get(phase) ?? 0) + time);
  };
  let known = from;
  for (const stretch of stretchesOf(exchange)) {
    const begin = Math.min(Math.max(stretch.from, known), to);
    const end = Math.min(Math.max(stretch.to, begin), to);
    add("other", begin - known);
    add(stretch.phase, end - begin);
    known = end;
  }
  add("other", to - known);
  return times;
}

/** The phase with the most time, and its time; of equal ones the first. */
export function largestPhaseOf(times: PhaseTimes): { readonly phase: WaitPhase; readonly time: Microseconds } {
  let largest = { phase: "other" as WaitPhase, time: 0 };
  for (const [phase, time] of times) if (time > largest.time) largest = { phase, time };
  return largest;
}

interface Stretch {
  readonly phase: WaitPhase;
  readonly from: Microseconds;
  readonly to: Microseconds;
}

/** A smaller body takes no time of its own, unless it comes this late: the buffers of the sockets take it at once. */
const LEAST_UPLOAD: Bytes = 16 * 1024;
const LATE_UPLOAD: Milliseconds = 5;

const IMPORTED: readonly Tag[] = ["imported"];

/** The phases of an exchange, by start. */
function stretchesOf(exchange: Exchange): readonly Stretch[] {
  const { instants: at, endTime, slowed } = exchange;
  const end = at.responseEnd ?? endTime;
  const stretches: Stretch[] = [];
  const add = (phase: WaitPhase, from: number | null, to: number | null): void => {
    if (from !== null && to !== null) stretches.push({ phase, from: microsecondsOf(from), to: microsecondsOf(to) });
  };
  const wait = waitOf(exchange);
  if (wait !== null)
    add(wait.waitedFor === "browser" ? "browser" : "queued", at.startTime + wait.from, at.startTime + wait.to);
  const sent: Instant | null = at.requestStart ?? end;
  const connected = at.connectEnd ?? sent;
  add("dns", at.domainLookupStart, at.domainLookupEnd ?? at.connectStart ?? sent);
  add("connect", at.connectStart, at.secureConnectionStart ?? connected);
  add("tls", at.secureConnectionStart, connected);
  const slowedUpload = slowedUploadOf(at, slowed);
  const sendStart = at.requestStart === null ? null : at.requestStart + slowedUpload;
  const isLate = sendStart !== null && at.requestEnd !== null && at.requestEnd - sendStart >= LATE_UPLOAD;
  const uploaded = exchange.requestBodySize >= LEAST_UPLOAD || isLate ? at.requestEnd : null;
  // A server may answer before it has read the body.
  const serverStart = uploaded === null || sendStart === null ? sendStart : Math.max(sendStart, uploaded);
  add("upload", sendStart, uploaded === null ? null : serverStart);
  add("ttfb", serverStart, at.responseStart ?? end);
  add("held", at.responseStart, at.released ?? null);
  const forwarded = at.responseForwarded ?? at.released ?? at.responseStart;
  if (forwarded !== null && end !== null) add("transfer", forwarded + slowedResponseOf(at, end, slowed), end);
  for (const { from, to } of slowedStretchesOf(exchange)) add("slowed", at.startTime + from, at.startTime + to);
  // In a HAR file of another program, time without a phase is not Weir's.
  const isOwn = overheadOf(at, wait) !== null || !hasOneOf(exchange.tags, IMPORTED);
  if (isOwn) eachOverhead(at, wait, (from, to) => add("weir", from, to));
  return stretches.sort((one, other) => one.from - other.from || one.to - other.to);
}
