import type { AcceptedEntry, AcceptedFile } from "../../src/engine/budget/accepted.ts";
import { listOf, objectOf, type Schema, text } from "./shapes.ts";

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
        },
        undefined,
        ["finding", "until"],
      ),
    ),
  },
  undefined,
  ["$schema"],
);
