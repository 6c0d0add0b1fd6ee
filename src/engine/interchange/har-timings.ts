import type { Exchange } from "../model/exchange.ts";
import { type Instants, phasesOf, uploadOf } from "../model/phases.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import type { JsonValue } from "./json-value.ts";

/** Milliseconds; -1 = does not apply. `ssl` is inside `connect`, `wait` begins after the upload. */
export interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/** HAR: `send`, `wait` and `receive` are never negative; what no other field covers is `blocked`. */
export function timingsOf({ instants, endTime }: Exchange): HarTimings {
  const { dns, connect, tls, ttfb, transfer } = phasesOf(instants);
  const send = Math.min(uploadOf(instants) ?? 0, ttfb ?? Number.POSITIVE_INFINITY);
  const cut = instants.responseStart === null || endTime === null ? 0 : endTime - instants.responseStart;
  const known = {
    dns: dns ?? -1,
    connect: connect === null ? -1 : connect + (tls ?? 0),
    ssl: tls ?? -1,
    send,
    wait: ttfb === null ? 0 : Math.max(0, ttfb - send),
    receive: Math.max(0, transfer ?? cut),
  };
  const whole = (instants.responseEnd ?? endTime ?? instants.startTime) - instants.startTime;
  return { blocked: Math.max(0, whole - timeOf({ ...known, blocked: 0 })), ...known };
}

/** HAR: the sum of the timings that apply. */
export function timeOf({ blocked, dns, connect, send, wait, receive }: HarTimings): Milliseconds {
  return Math.max(0, blocked) + Math.max(0, dns) + Math.max(0, connect) + send + wait + receive;
}

/**
 * The moments that an entry's lengths come to, one after the other from its start. Where its `time` is longer than their
 * sum, what is missing was waiting before them.
 */
export function instantsOf(entry: JsonValue, startTime: Instant, isAnswered: boolean, isWhole: boolean): Instants {
  const timings = entry.at("timings");
  const length = (name: string) => lengthOf(timings.at(name));
  const dns = length("dns");
  const connect = length("connect");
  const ssl = connect === null ? null : length("ssl");
  const [send, wait, receive] = [length("send") ?? 0, length("wait") ?? 0, length("receive") ?? 0];
  const sum = (length("blocked") ?? 0) + (dns ?? 0) + (connect ?? 0) + send + wait + receive;
  const blocked = (length("blocked") ?? 0) + Math.max(0, (lengthOf(entry.at("time")) ?? 0) - sum);

  let now = startTime + blocked;
  const after = (passed: Milliseconds): Instant => {
    now += passed;
    return now as Instant;
  };
  const domainLookupStart = dns === null ? null : after(0);
  const domainLookupEnd = dns === null ? null : after(dns);
  const connectStart = connect === null ? null : after(0);
  // Some tools count ssl beside connect instead of inside it.
  const secure = connect === null || ssl === null ? null : after(ssl > connect ? connect : connect - ssl);
  const connectEnd = connect === null ? null : after(secure === null ? connect : (ssl ?? 0));
  const isSent = isAnswered || send + wait > 0;
  const requestStart = isSent ? after(0) : null;
  const requestEnd = isSent ? after(send) : null;
  const responseStart = isAnswered ? after(wait) : null;
  const responseEnd = isAnswered && isWhole ? after(receive) : null;
  return Object.freeze({
    startTime,
    headReceived: startTime,
    domainLookupStart,
    domainLookupEnd,
    connectStart,
    secureConnectionStart: secure,
    connectEnd,
    requestStart,
    requestEnd,
    responseStart,
    // Of no file is it known what a proxy of ours added.
    responseForwarded: null,
    responseEnd,
  });
}

/** A length that applies; `null` for -1, for what is absent and for nonsense. */
export function lengthOf(value: JsonValue): Milliseconds | null {
  const length = value.number;
  return length === null || length < 0 || length > LONGEST ? null : length;
}

/** Our choice: no exchange lasts longer than a year. */
const LONGEST: Milliseconds = 366 * 86_400_000;
