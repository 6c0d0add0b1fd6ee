import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { durationText } from "../../format/duration.ts";
import { slowCauseText } from "../../format/slow-cause.ts";

/**
 * Compares an exchange with its endpoint: "2.9x the endpoint's p50, 352 ms over its p95". For a slow exchange, adds the
 * fixed threshold if it was exceeded, and the cause if it is known.
 */
export function comparisonOf(detail: ExchangeDetail): string {
  const { slow } = detail;
  const limit = slow?.reasons.includes("fixed") ? slow.fixedThreshold : null;
  const text = againstKindOf(detail);
  const full = limit === null ? text : `${text.replace(/\.$/, "")}. Over the ${durationText(limit)} ms threshold.`;
  // Without a cause, `slowCauseText` would name the wait, which another sentence of the tab describes.
  const cause = slow === null || slow.cause === null ? "" : slowCauseText(slow);
  return cause === "" ? full : `${full.replace(/\.$/, "")}; ${cause}.`;
}

function againstKindOf({ latency, failedAfter, stats, exchange, phases }: ExchangeDetail): string {
  if (exchange.outcome === null) return "In flight: no latency yet.";
  if (failedAfter !== null) return "This is the time until the failure. Failures have no latency.";
  if (exchange.outcome.kind === "failed") return "Failures have no latency.";
  if (latency === null) return streamText(phases.ttfb);
  if (stats === null) return "No comparison yet: this endpoint has fewer than 5 requests in this session.";
  const { p50, p95 } = stats;
  if (p50 === null || p95 === null) return "No comparison: this endpoint has no latencies.";
  const times = p50 > 0 ? `${(latency / p50).toFixed(1)}x the endpoint's p50` : "";
  const side = latency > p95 ? "over" : "under";
  return [times, `${durationText(Math.abs(latency - p95))} ms ${side} its p95`]
    .filter((part) => part !== "")
    .join(", ");
}

/** The text for a stream: its time to the first byte, in place of a comparison. */
function streamText(ttfb: Milliseconds | null): string {
  const lifetime = "Streams have no latency.";
  return ttfb === null ? lifetime : `TTFB ${durationText(ttfb)} ms. ${lifetime}`;
}
