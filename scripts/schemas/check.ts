import { LIMITS } from "../../src/engine/budget/budget.ts";
import type { Judged } from "../../src/engine/budget/verdict-texts.ts";
import type { Verdict } from "../../src/engine/budget/verdicts.ts";
import { amount, choice, count, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

const verdict = objectOf<Verdict>({
  outcome: choice(["kept", "broken", "too-few"], "too-few: not enough requests to tell."),
  subject: text("The endpoint, the pattern where nothing matches it, or the kind of finding."),
  what: choice([...LIMITS, "finding", "regression"], "What is limited."),
  place: orNull(listOf({ type: "string" }, "Where the limit is in the budget file; null: a regression.")),
  limit: orNull(amount("In the limit's unit; null: a finding or a regression.")),
  measured: orNull(amount("In the limit's unit; null: without a verdict, a finding or a regression.")),
  n: count("Requests in the figure; of a finding, its occurrences."),
  detail: text("The requests needed, the finding's sentence, or how the endpoint changed."),
});

/** The output of `weir check --format json`. */
export const CHECK: Schema = objectOf({
  schema: { const: 1 },
  sources: listOf(
    objectOf<Judged>({
      source: text("The file, or the session's id."),
      verdicts: listOf(verdict),
      unjudged: count("Limits of rarely requested endpoints that were passed over."),
    }),
  ),
});
