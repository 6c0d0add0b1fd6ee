import type { SlowRecord, SlowRequestCause } from "../messages/latency-messages.ts";
import { type Exchange, isTooUncertain, statusOf } from "../model/exchange.ts";
import { PHASES, type Phases, phasesOf, spansOf, uploadOf, type Wait, waitOf } from "../model/phases.ts";
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

/** Why an exchange with this latency is slow; `null` if it is not slow. `tally`: the tally of the exchange's endpoint. */
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
    cause: isTooUncertain(exchange)
      ? null
      : slowCauseOf(phasesOf(instants, wait, exchange.slowed), tally.medians(), wait),
    wait,
    upload: requestBodySize === 0 ? null : uploadOf(instants),
    requestBodySize,
    encodedBodySize,
    avgSize: tally.payload.meanResponse,
    spans: spansOf(instants, wait, exchange.slowed),
    client,
  });
}

/**
 * The phase that exceeds the endpoint's median of the same phase most. Without a median, the phase's whole time counts.
 * `null` if no phase took longer than usual, or if the `wait` before all phases was longer than any excess.
 */
export function slowCauseOf(lengths: Phases, medians: Phases, wait: Wait | null): SlowRequestCause | null {
  let cause: SlowRequestCause | null = null;
  for (const phase of PHASES) {
    const length = lengths[phase];
    if (length === null) continue;
    const median = medians[phase];
    const excess = length - (median ?? 0);
    if (excess > (cause?.excess ?? 0)) cause = { phase, length, median, excess };
  }
  const waited = wait === null ? 0 : wait.to - wait.from;
  return cause === null || waited > cause.excess ? null : Object.freeze(cause);
}
