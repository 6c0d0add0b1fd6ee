import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import { durationText } from "../../format/duration.ts";
import { slowCauseText } from "../../format/slow-cause.ts";

/** How it stands against its kind: "2.9x its p50, 352 ms over its p95", against the limit for all, if it is over that, and why. */
export function comparisonOf(detail: ExchangeDetail): string {
  const { slow } = detail;
  const limit = slow?.reasons.includes("fixed") ? slow.fixedThreshold : null;
  const text = againstKindOf(detail);
  const full = limit === null ? text : `${text.replace(/\.$/, "")}. Over the ${durationText(limit)} ms limit.`;
  // What it waited for is a sentence of its own, below.
  const cause = slow === null || slow.cause === null ? "" : slowCauseText(slow);
  return cause === "" ? full : `${full.replace(/\.$/, "")}; ${cause}.`;
}

function againstKindOf({ latency, failedAfter, stats, exchange }: ExchangeDetail): string {
  if (exchange.outcome === null) return "In flight, so without a latency.";
  if (failedAfter !== null) return "How long it took until it failed: no whole answer came, so it has no latency.";
  if (exchange.outcome.kind === "failed") return "It failed, so it has no latency.";
  if (latency === null) return "How long it lived is no latency.";
  if (stats === null) return "Its endpoint has fewer than 5 requests in this session: nothing to compare with yet.";
  const { p50, p95 } = stats;
  if (p50 === null || p95 === null) return "Its endpoint has no latencies to compare with.";
  const times = p50 > 0 ? `${(latency / p50).toFixed(1)}x its p50` : "";
  const side = latency > p95 ? "over" : "under";
  return [times, `${durationText(Math.abs(latency - p95))} ms ${side} its p95`]
    .filter((part) => part !== "")
    .join(", ");
}
