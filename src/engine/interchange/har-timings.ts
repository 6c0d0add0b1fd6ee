import type { Exchange } from "../model/exchange.ts";
import { heldOf, type Instants, phasesOf, uploadOf, waitOf } from "../model/phases.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import type { JsonValue } from "./json-value.ts";

/**
 * HAR's timings in milliseconds; -1 if a timing does not apply. `connect` includes `ssl`, and `wait` begins after the
 * upload.
 */
export interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
  /** Chrome's name for the time in the browser's own queue, a part of `blocked`. */
  readonly _blocked_queueing?: number;
  /** Ours: for how long Weir held the response back on purpose, a part of `blocked`. */
  readonly _held?: number;
}

/**
 * The timings for HAR, where `send`, `wait` and `receive` are never negative. Time that belongs to no other timing is
 * `blocked`.
 */
export function timingsOf(exchange: Exchange): HarTimings {
  const { instants, endTime } = exchange;
  const { dns, connect, tls, ttfb } = phasesOf(instants);
  const send = Math.min(uploadOf(instants) ?? 0, ttfb ?? Number.POSITIVE_INFINITY);
  const end = instants.responseEnd ?? endTime;
  const received = instants.released ?? instants.responseStart;
  const receive = received === null || end === null ? 0 : end - received;
  const held = heldOf(instants);
  const known = {
    dns: dns ?? -1,
    connect: connect === null ? -1 : connect + (tls ?? 0),
    ssl: tls ?? -1,
    send,
    wait: ttfb === null ? 0 : Math.max(0, ttfb - send),
    receive: Math.max(0, receive),
  };
  const whole = (instants.responseEnd ?? endTime ?? instants.startTime) - instants.startTime;
  const wait = waitOf(exchange);
  const queue = wait?.waitedFor === "browser" ? { _blocked_queueing: wait.to - wait.from } : {};
  const purpose = held === null ? {} : { _held: held };
  return { blocked: Math.max(0, whole - timeOf({ ...known, blocked: 0 })), ...known, ...queue, ...purpose };
}

/** HAR's `time`: the sum of the timings that apply. */
export function timeOf({ blocked, dns, connect, send, wait, receive }: HarTimings): Milliseconds {
  return Math.max(0, blocked) + Math.max(0, dns) + Math.max(0, connect) + send + wait + receive;
}

/**
 * Converts an entry's timings to instants, one after the other from the entry's start. `time` may be longer than the
 * sum of the timings. The difference then counts as the missing `wait` or `receive`; if neither is missing, as
 * `blocked`. Without `wait`, TTFB is unknown. Without both `time` and `receive`, the response's end is unknown.
 */
export function instantsOf(
  entry: JsonValue,
  startTime: Instant,
  isAnswered: boolean,
  isWhole: boolean,
  isSecure: boolean,
): Instants {
  const timings = entry.at("timings");
  const length = (name: string) => lengthOf(timings.at(name));
  const isKept = isConnectionKept(entry);
  const dns = isKept ? null : length("dns");
  const send = length("send") ?? 0;
  const time = timeIn(entry);
  const others = (["blocked", "dns", "wait", "receive"] as const).reduce(
    (sum, name) => sum + (length(name) ?? 0),
    send,
  );
  const { connect, ssl, isBeside } = isKept
    ? NO_CONNECT
    : connectTimesOf(timings, isSecure, time === null ? null : time - others);
  const setUp = (length("blocked") ?? 0) + (dns ?? 0) + (connect ?? 0) + (isBeside ? (ssl ?? 0) : 0);
  const isZero = send === 0 && length("wait") === 0 && length("receive") === 0;
  // HAR requires `send`, `wait` and `receive`, so tools that do not know them write three zeros.
  const isUnknown = isZero && (time ?? 0) > setUp;
  const [wait, receive] = isUnknown ? [null, null] : [length("wait"), length("receive")];
  const untold = Math.max(0, (time ?? 0) - setUp - send - (wait ?? 0) - (receive ?? 0));
  const blocked = (length("blocked") ?? 0) + (wait === null || receive === null ? 0 : untold);
  const received = receive ?? (wait === null ? 0 : untold);

  let now = startTime + blocked;
  const after = (passed: Milliseconds): Instant => {
    now += passed;
    return now as Instant;
  };
  const domainLookupStart = dns === null ? null : after(0);
  const domainLookupEnd = dns === null ? null : after(dns);
  const connectStart = connect === null ? null : after(0);
  const secure = connect === null || ssl === null ? null : after(isBeside ? connect : connect - ssl);
  const connectEnd = connect === null ? null : after(secure === null ? connect : (ssl ?? 0));
  const isSent = isAnswered ? wait !== null : send + (wait ?? 0) > 0;
  const requestStart = isSent ? after(0) : null;
  const sent = after(send);
  const requestEnd = isSent ? sent : null;
  const responseStart = isAnswered && (wait !== null || receive !== null) ? after(wait ?? untold) : null;
  const isEnded = isAnswered && isWhole && (time !== null || receive !== null);
  const responseEnd = isEnded ? after(responseStart === null ? untold : received) : null;
  return Object.freeze({
    startTime,
    headReceived: (startTime + browserQueueOf(timings)) as Instant,
    domainLookupStart,
    domainLookupEnd,
    connectStart,
    secureConnectionStart: secure,
    connectEnd,
    requestStart,
    requestEnd,
    responseStart,
    // HAR files do not record Weir's overhead.
    responseForwarded: null,
    responseEnd,
  });
}

/** The time in Chrome's own queue, a part of `blocked`; 0 if there is none. */
export function browserQueueOf(timings: JsonValue): Milliseconds {
  return Math.min(lengthOf(timings.at("_blocked_queueing")) ?? 0, lengthOf(timings.at("blocked")) ?? 0);
}

interface ConnectTimes {
  readonly connect: Milliseconds | null;
  readonly ssl: Milliseconds | null;
  /** Whether `connect` excludes the time of `ssl`, as in the files of some tools. */
  readonly isBeside: boolean;
}

/**
 * The times of a new connection. `room`: the part of the entry's `time` that belongs to no other timing; `null` if
 * `time` is unknown. If `ssl` is longer than `connect`, and both together are longer than `room`, both are unknown.
 */
function connectTimesOf(timings: JsonValue, isSecure: boolean, room: Milliseconds | null): ConnectTimes {
  const connect = lengthOf(timings.at("connect"));
  // Playwright also writes `ssl` for plain HTTP.
  const ssl = connect === null || !isSecure ? null : lengthOf(timings.at("ssl"));
  if (connect === null || ssl === null || ssl <= connect) return { connect, ssl, isBeside: false };
  if (ssl <= connect + ROUNDING) return { connect, ssl: connect, isBeside: false };
  const isBeside = room === null || connect + ssl <= room + ROUNDING;
  return isBeside ? { connect, ssl, isBeside } : { connect: null, ssl: null, isBeside };
}

const NO_CONNECT: ConnectTimes = Object.freeze({ connect: null, ssl: null, isBeside: false });

/**
 * Whether the request used a connection that was open before: no set-up timing is above 0. Firefox and other tools
 * write 0 where HAR 1.2 (timings) requires -1; in files of Weir, 0 is a time.
 */
export function isConnectionKept(entry: JsonValue): boolean {
  if (entry.at("_client").text !== null) return false;
  return SET_UP.every((name) => (lengthOf(entry.at("timings").at(name)) ?? 0) === 0);
}

const SET_UP = ["dns", "connect", "ssl"] as const;

/**
 * The entry's `time`, with `ssl` counted once; `null` if it is unknown. Some tools add `ssl` to `connect`, which
 * includes it (HAR 1.2, timings).
 */
function timeIn(entry: JsonValue): Milliseconds | null {
  const timings = entry.at("timings");
  const time = lengthOf(entry.at("time"));
  const ssl = lengthOf(timings.at("ssl")) ?? 0;
  const connect = lengthOf(timings.at("connect")) ?? 0;
  if (time === null || ssl === 0 || ssl > connect + ROUNDING) return time;
  const sum = SUMMED.reduce((total, name) => total + (lengthOf(timings.at(name)) ?? 0), 0);
  return Math.abs(time - sum - ssl) < ROUNDING ? time - ssl : time;
}

/** HAR 1.2, timings: the timings that add up to `time`. */
const SUMMED = ["blocked", "dns", "connect", "send", "wait", "receive"] as const;

/** The most by which rounded timings differ from their sum. */
const ROUNDING: Milliseconds = 1;

/** A time that applies; `null` for -1, absent and invalid values. */
export function lengthOf(value: JsonValue): Milliseconds | null {
  const length = value.numeric;
  return length === null || length < 0 || length > LONGEST ? null : length;
}

/** The longest exchange, a year. */
const LONGEST: Milliseconds = 366 * 86_400_000;

/**
 * Whether a browser's cache or a service worker gave the response instead of a server. Reads fields of Chrome
 * (`_fromCache`, `_transferSize`, `_fetchedViaServiceWorker`), Firefox (`cache`, or zeros alone) and Safari
 * (`_fetchType`).
 */
export function isCacheHit(entry: JsonValue): boolean {
  const response = entry.at("response");
  if (entry.at("_fromCache").boolean === true || (entry.at("_fromCache").text ?? "") !== "") return true;
  for (const holder of [entry, response]) if (holder.at("_fetchedViaServiceWorker").boolean === true) return true;
  if (/^(?:memory cache|disk cache|service worker)$/i.test(entry.at("_fetchType").text ?? "")) return true;
  const hasWaited = (lengthOf(entry.at("timings").at("wait")) ?? 0) > 0;
  if (response.at("_transferSize").numeric === 0 && !hasWaited) return true;
  if (hasOnlyZeros(entry)) return true;
  // HAR 1.2, cache: `null` means that the cache did not have the resource before.
  if (entry.at("cache").isNull("beforeRequest")) return false;
  return entry.at("cache").has("afterRequest") && !(hasWaited && isTransferred(entry));
}

/** Whether no time passed and no server is known, which is all that Firefox writes of a cache hit. */
function hasOnlyZeros(entry: JsonValue): boolean {
  const timings = entry.at("timings");
  const hasSource = (entry.at("serverIPAddress").text ?? "") !== "";
  const hasHead = (lengthOf(entry.at("response").at("headersSize")) ?? 0) > 0;
  const isAtOnce = entry.at("time").numeric === 0 && timings.at("wait").numeric === 0;
  const others = ["blocked", "dns", "connect", "ssl", "send", "receive"] as const;
  return isAtOnce && !hasSource && !hasHead && others.every((name) => timings.at(name).numeric === 0);
}

/**
 * Whether the response came from a server: it has a size, and the entry has the server's address. Some tools write
 * `cache.afterRequest` (HAR 1.2, cache) for such responses, too.
 */
function isTransferred(entry: JsonValue): boolean {
  return (lengthOf(entry.at("response").at("bodySize")) ?? 0) > 0 && (entry.at("serverIPAddress").text ?? "") !== "";
}
