import type { ExportTable } from "../../src/engine/messages/exchange-messages.ts";
import { LINK_BASES } from "../../src/engine/model/link.ts";
import { PHASES } from "../../src/engine/model/phases.ts";
import { REPEAT_KINDS } from "../../src/engine/model/repeat.ts";
import { amount, choice, count, exchanges, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

const method = text("The method, as sent.");
const origin = text("Scheme, host and port.");
const path = text("The path without query; {id} stands for the part in which similar paths differ.");
const operation = orNull(text("The GraphQL, JSON-RPC or SOAP operation."));

const evidence = objectOf({
  source: text("redirect, preflight, url, set-cookie, body, order and others."),
  name: orNull(text("The header, cookie or JSON member that held the value.")),
  value: text(
    "The value, redacted by default; if source is order, how many of the endpoint's requests came in this order, such as 5 of 8.",
  ),
});
const gap = amount(
  "From the end of one exchange to the start of the next, ms; negative if the next started earlier.",
  null,
);
const kind = choice(["proven", "sequential"], "Whether the link is proven or follows from the order alone.");

/** For each table, a row in the output of `weir export --table NAME --format json`. */
export const TABLE_ROWS: Readonly<Record<ExportTable, Schema>> = {
  latency: objectOf({
    method,
    origin,
    path,
    operation,
    requests: count("Requests in the session.", 5),
    p50: orNull(amount("ms.")),
    p95: orNull(amount("ms.")),
    p99: orNull(amount("ms.")),
    avgSize: orNull(amount("Mean response body as transferred, bytes.")),
    errorRate: { ...amount("Percent."), maximum: 100 },
  }),
  slow: objectOf({
    id: count("The exchange.", 1),
    method,
    origin,
    path,
    operation,
    latency: amount("ms."),
    p95: orNull(amount("The endpoint's p95, ms.")),
    reasons: listOf({ enum: ["p95", "fixed"] }, "Slower than the p95, or than the fixed threshold."),
    timesP50: orNull(amount("latency / p50.")),
    cause: {
      description: "The phase that exceeds its median most; null: none does.",
      anyOf: [
        objectOf({ phase: choice(PHASES, "The phase."), excess: amount("Time above the endpoint's median, ms.") }),
        { type: "null" },
      ],
    },
  }),
  payload: objectOf({
    method,
    origin,
    path,
    operation,
    avgRequestSize: amount("Bytes."),
    avgResponseSize: orNull(amount("Bytes.")),
    compressionRatio: orNull(amount("decoded / encoded.")),
    oversized: exchanges("Responses far larger than the mean of the endpoint's other responses."),
  }),
  chains: objectOf({
    count: count("Occurrences of this sequence of endpoints.", 1),
    median: amount("Duration, ms."),
    duration: amount("Duration of the longest occurrence, ms."),
    exchanges: exchanges("Exchanges of the longest occurrence."),
    edges: listOf(
      objectOf({ from: count("", 1), to: count("", 1), gap, kind, evidence }),
      "Links between these exchanges.",
    ),
  }),
  groups: objectOf({
    exchanges: exchanges("Exchanges of one client whose times overlap."),
    start: amount("Epoch ms.", null),
    end: amount("Epoch ms.", null),
  }),
  repeats: objectOf({
    kind: choice(REPEAT_KINDS, "The class."),
    template: text("METHOD origin/path; empty if the repeat covers several endpoints."),
    exchanges: exchanges("The exchanges that the repeat counts."),
    time: orNull(amount("Waiting that would be saved, ms.")),
    bytes: orNull(amount("Bytes that need not have been sent.")),
  }),
  links: objectOf({
    from: count("The exchange waited for.", 1),
    to: count("The exchange that waited.", 1),
    kind,
    basis: choice(LINK_BASES, "What the link rests on."),
    gap,
    evidence,
  }),
  trends: objectOf({
    method,
    origin,
    path,
    operation,
    metric: choice(["latency", "errorRate", "payload"], "In ms, percent or bytes."),
    direction: choice(["up", "down", "stable"], ""),
    baseline: amount("p95 of latencies."),
    current: amount("The same figure now."),
    change: amount("current - baseline; percentage points for errorRate.", null),
    changePercent: orNull(amount("The change in percent; null if the baseline is 0.", null)),
    sessions: count("Number of baseline sessions."),
    n: count("Number of values in the current session."),
    p50: orNull(amount("The current p50 of latencies.")),
    note: orNull(text("Why no change can be told, or which percentile changed.")),
  }),
};
