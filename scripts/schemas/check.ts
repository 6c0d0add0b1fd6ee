import { LIMITS, LOAD_LIMITS } from "../../src/engine/budget/budget.ts";
import type { Grown, Judged, Verdict } from "../../src/engine/budget/verdict.ts";
import { FINDING_KINDS } from "../../src/engine/model/finding.ts";
import { amount, choice, count, flag, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

const verdict = objectOf<Verdict>({
  outcome: choice(
    ["kept", "broken", "too-few", "accepted", "known"],
    "too-few: not enough requests to tell; accepted: by the accepted file; known: not kept, but so in the baseline.",
  ),
  subject: text("The endpoint; the pattern, if no request matches it; or the kind of finding."),
  what: choice(
    [...LIMITS, ...LOAD_LIMITS.map((one) => `load ${one}`), "requests", "finding", "regression"],
    "What is limited; requests: the number that there must be.",
  ),
  place: orNull(
    listOf(
      { type: ["string", "integer"] },
      "Where the limit is in the budget file; null if it has none, as for a regression.",
    ),
  ),
  limit: orNull(amount("The limit, for a finding in ms; null for a finding that must not be, or a regression.")),
  measured: orNull(amount("The measured figure, in the limit's unit; null without a verdict or limit.")),
  time: orNull(amount("What the finding cost, ms; null if unknown, and for a limit.")),
  n: count("Requests or page loads behind the figure; for a finding, its occurrences."),
  detail: text("Why there is no verdict, the finding's summary, or how the endpoint's latency changed."),
  evidence: listOf(
    objectOf({ name: text(""), value: text("The value with its unit.") }),
    "The figures behind a finding or a slower endpoint; empty for a limit.",
  ),
  fingerprint: orNull(text("Of the finding, or of the slower endpoint; null for a limit.")),
  change: orNull(
    choice(
      ["new", "worse", "known"],
      "A broken verdict against the baseline, worse by a test; null without a baseline.",
    ),
  ),
  acceptance: {
    anyOf: [
      objectOf<NonNullable<Verdict["acceptance"]>>(
        {
          reason: text("Why it is accepted."),
          until: orNull(text("The last day, by UTC; null: any day.")),
          expired: flag("Whether that day is over."),
          grew: orNull(
            objectOf<Grown>(
              { from: text("The cost with the number of requests."), to: text("As from, now.") },
              "How it became worse since it was accepted, or since the baseline; null: no test shows it.",
            ),
          ),
        },
        "The entry of the accepted file. If the verdict is broken, it has expired or was outgrown.",
      ),
      { type: "null" },
    ],
  },
});

/** The output of `weir check --format json`. */
export const CHECK: Schema = objectOf({
  schema: { const: 1 },
  baseline: orNull(text("The baseline's file or session; null without one.")),
  sources: listOf(
    objectOf<Judged>({
      source: text("The file; or what the session is called, without a name its id."),
      verdicts: listOf(verdict),
      unjudged: count("Number of limits that were not judged, because their endpoints were requested too rarely."),
      gone: listOf(
        objectOf<Judged["gone"][number]>({
          kind: choice(FINDING_KINDS, "The cause."),
          summary: text("What was wrong."),
          fingerprint: text("Of the finding."),
        }),
        "The findings of the baseline that do not occur here; empty without a baseline.",
      ),
      changed: listOf(
        objectOf<Judged["changed"][number]>({
          endpoint: text("The endpoint."),
          verdict: choice(["slower", "faster"], "By the test of Compare."),
          detail: text("Both percentiles, before and now."),
        }),
        "The endpoints that became slower or faster; empty without a baseline.",
      ),
    }),
  ),
  notes: listOf(text(""), "Sentences about the check as a whole, such as entries that accept nothing."),
});
