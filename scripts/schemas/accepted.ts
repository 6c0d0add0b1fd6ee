import type { AcceptedCost, AcceptedEntry, AcceptedFile } from "../../src/engine/budget/accepted-file.ts";
import { amount, count, listOf, objectOf, type Schema, text } from "./shapes.ts";

const cost = objectOf<AcceptedCost>(
  {
    time: amount("Waiting that the finding cost, ms."),
    bytes: amount("Bytes that it cost."),
    count: count("How often it occurred.", 1),
    requests: count("The requests of that recording.", 1),
    p50: amount("The median latency of its endpoint, ms."),
    latencies: count("The latencies behind p50.", 1),
  },
  "What it cost when it was accepted; absent: growth is not told without a baseline.",
  ["time", "bytes", "count", "requests", "p50", "latencies"],
);

/** The file that `weir accept` writes. */
export const ACCEPTED: Schema = objectOf<AcceptedFile>(
  {
    $schema: text("This schema."),
    schema: { const: 1 },
    accepted: listOf(
      objectOf<AcceptedEntry>(
        {
          fingerprint: { ...text("Of the finding, as weir check lists it."), pattern: "^[0-9a-f]{16}$" },
          finding: text("The finding in words; nothing depends on it."),
          reason: { ...text("Why it is accepted."), pattern: "\\S" },
          until: {
            ...text("The last day on which it is accepted, by UTC; absent: any day."),
            pattern: "^\\d{4}-\\d\\d-\\d\\d$",
          },
          cost,
        },
        undefined,
        ["finding", "until", "cost"],
      ),
    ),
  },
  undefined,
  ["$schema"],
);
