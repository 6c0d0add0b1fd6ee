import type { SlowRecord, SlowRequestCause } from "../../engine/messages/latency-messages.ts";
import { LEAST_EXCESS } from "../../engine/model/phases.ts";
import { bytesPhrase } from "./bytes.ts";
import { waitClause } from "./connection-label.ts";
import { durationText } from "./duration.ts";
import { PHASE_NAMES } from "./phases.ts";

/** A body of more than this many times its endpoint's mean size explains a long transfer. */
const LARGER_BODY = 2;

/**
 * Says why a request was slow, as the end of a sentence: the phase that took the time, or the wait. "" if neither is
 * known (docs/specification.md, Slow).
 */
export function slowCauseText({ cause, wait, ...record }: SlowRecord): string {
  if (cause === null) return wait === null || wait.to - wait.from < LEAST_EXCESS ? "" : waitClause(wait);
  return phaseText(cause, record);
}

function phaseText(
  { phase, length, median, excess, isUsual }: SlowRequestCause,
  { upload, requestBodySize, encodedBodySize, avgSize }: Omit<SlowRecord, "cause" | "wait">,
): string {
  const whole = `took ${durationText(length)} ms${isUsual ? ", about as usual" : ""}`;
  const took = isUsual || median === null ? whole : `took ${durationText(excess)} ms longer than usual`;
  switch (phase) {
    case "dns":
    case "connect":
    case "tls":
      return `a new connection: ${PHASE_NAMES[phase]} ${isUsual ? took : `+${durationText(excess)} ms`}`;
    case "ttfb":
      // Most of the TTFB passed while the request's body was sent, so the server is not the cause.
      if (upload !== null && upload > length / 2) {
        return `sending the request’s ${bytesPhrase(requestBodySize)} took ${durationText(upload)} ms`;
      }
      return `the server ${took}`;
    case "transfer":
      if (avgSize !== null && avgSize > 0 && encodedBodySize > LARGER_BODY * avgSize) {
        return `the body was ${bytesPhrase(encodedBodySize)}, usually ${bytesPhrase(avgSize)}`;
      }
      return `the body ${took}`;
    case "weir":
      return `Weir itself ${took}`;
  }
}
