import type { SlowRecord, SlowRequestCause } from "../messages/latency-messages.ts";
import { type Exchange, largeUncertaintyOf, statusOf } from "../model/exchange.ts";
import { LEAST_EXCESS, PHASES, type Phases, phasesOf, spansOf, uploadOf, type Wait, waitOf } from "../model/phases.ts";
import type { Milliseconds } from "../model/units.ts";
import type { EndpointTally } from "../stats/endpoint-tally.ts";

/**
 * The latency above which a request is slow: the endpoint's current p95 (if it has a row) or the fixed threshold,
 * whichever is lower. `null` if there is neither.
 */
export function slowLimitOf(tally: EndpointTally, fixedThreshold: Milliseconds | null): Milliseconds | null {
  const p95 = tally.figures()?.p95 ?? null;
  if (p95 === null || fixedThreshold === null) return p95 ?? fixedThreshold;
  return Math.min(p95, fixedThreshold);
}

/**
 * Why an exchange with this latency is slow; `null` if it is not slow. `tally`: the tally of the exchange's endpoint.
 */
export function slowRequestOf(
  exchange: Exchange,
  latency: Milliseconds,
  tally: EndpointTally,
  fixedThreshold: Milliseconds | null,
): SlowRecord | null {
  const row = tally.figures();
  const { p50 = null, p95 = null } = row ?? {};
  const reasons: ("p95" | "fixed")[] = [];
  if (p95 !== null && latency > p95) reasons.push("p95");
  if (fixedThreshold !== null && latency > fixedThreshold) reasons.push("fixed");
  if (reasons.length === 0) return null;
  const { id, client, endpoint, method, origin, target, outcome, instants, requestBodySize, encodedBodySize } =
    exchange;
  const wait = waitOf(exchange);
  return Object.freeze({
    id,
    endpoint,
    method,
    origin,
    target,
    status: statusOf(outcome),
    startTime: instants.startTime,
    latency,
    p50,
    p95,
    reasons: Object.freeze(reasons),
    timesP50: p50 === null || p50 === 0 ? null : latency / p50,
    fixedThreshold,
    cause: slowCauseOf(phasesOf(instants, wait, exchange.slowed), tally.medians(), wait, largeUncertaintyOf(exchange)),
    wait,
    upload: requestBodySize === 0 ? null : uploadOf(instants),
    requestBodySize,
    encodedBodySize,
    avgSize: tally.payload.meanResponse,
    spans: spansOf(instants, wait, exchange.slowed),
    client,
  });
}

/** A smaller part of a request's time does not explain why the request is slow. */
const LEAST_PART = 0.1;

/**
 * The phase that took the time: the one that exceeds the endpoint's median of the same phase most (without a median,
 * the phase's whole time counts), or the longest phase if nothing exceeds its usual by `LEAST_PART` of the request's
 * time. `null` if no phase is known, if the `wait` before all phases was longer than any excess, or if another phase
 * may have taken as much. `uncertainty`: by how much each instant may be wrong.
 */
export function slowCauseOf(
  lengths: Phases,
  medians: Phases,
  wait: Wait | null,
  uncertainty: Milliseconds = 0,
): SlowRequestCause | null {
  const waited = wait === null ? 0 : wait.to - wait.from;
  let most: SlowRequestCause | null = null;
  let longest: SlowRequestCause | null = null;
  let [nextExcess, nextLength] = [waited, waited];
  let time = waited;
  for (const phase of PHASES) {
    const length = lengths[phase];
    if (length === null || length < LEAST_EXCESS) continue;
    const median = medians[phase];
    const cause = { phase, length, median, excess: length - (median ?? 0), isUsual: false };
    time += length;
    if (cause.excess >= LEAST_EXCESS && cause.excess > (most?.excess ?? 0)) {
      nextExcess = Math.max(nextExcess, most?.excess ?? 0);
      most = cause;
    } else nextExcess = Math.max(nextExcess, cause.excess);
    if (length > (longest?.length ?? 0)) {
      nextLength = Math.max(nextLength, longest?.length ?? 0);
      longest = cause;
    } else nextLength = Math.max(nextLength, length);
  }
  const excess = most?.excess ?? 0;
  // An instant that is wrong takes from one phase what it gives to the other.
  const least = 2 * uncertainty;
  if (longest !== null && Math.max(waited, excess) < LEAST_PART * time)
    return longest.length - nextLength < least
      ? null
      : Object.freeze({ ...longest, excess: Math.max(0, longest.excess), isUsual: true });
  return most === null || excess - nextExcess < least ? null : Object.freeze(most);
}
