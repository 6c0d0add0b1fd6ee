import type { Budget, EndpointLimits, FindingLimits, LoadLimits } from "../../src/engine/budget/budget.ts";
import { FINDING_KINDS, type FindingKind } from "../../src/engine/model/finding.ts";
import { amount, choice, count, listOf, objectOf, type Schema, text } from "./shapes.ts";

const bytes = (description: string): Schema => ({
  description: `${description} A number, or a text such as "1.5 MB"; 1 KB is 1024 bytes.`,
  anyOf: [
    { type: "number", minimum: 0 },
    { type: "string", pattern: "^\\s*\\d{1,15}(\\.\\d{1,9})? ?([bB][yY][tT][eE][sS]|[kKmMgG]?[bB])\\s*$" },
  ],
});

/** An object of which every field may be absent. */
function partOf<Shape extends object>(fields: Parameters<typeof objectOf<Shape>>[0], description?: string): Schema {
  return objectOf<Shape>(fields, description, Object.keys(fields) as (keyof Shape & string)[]);
}

const byKind = Object.fromEntries(
  FINDING_KINDS.map((kind) => [kind, objectOf({ time: amount("What one such finding may cost at most, ms.") })]),
) as Record<FindingKind, Schema>;

const findings = (description: string): Schema =>
  partOf<FindingLimits>(
    { no: listOf(choice(FINDING_KINDS, ""), "Kinds of findings that must not be."), ...byKind },
    description,
  );

const limits = partOf<EndpointLimits>({
  p50: amount("Median latency, ms, at most."),
  p95: amount("95th percentile, ms, at most."),
  p99: amount("99th percentile, ms, at most."),
  size: bytes("Mean response body as transferred, bytes, at most."),
  errors: { ...amount("Percent of requests that failed or have a status of 400 or more, at most."), maximum: 100 },
  count: amount("Requests, at most."),
  n: count("Requests needed to tell; 5 if absent.", 5),
  findings: findings("Findings at these endpoints."),
});

/** The budget of `weir check`. */
export const BUDGET: Schema = partOf<Budget & { readonly $schema: string }>({
  $schema: text("This schema."),
  endpoints: {
    description: "By pattern: METHOD URL, METHOD /path, /path or *, where * stands for any characters.",
    type: "object",
    additionalProperties: limits,
  },
  findings: findings("Findings of the whole recording."),
  load: partOf<LoadLimits>(
    {
      p95: amount("95th percentile of the loads of each page, ms, at most."),
      requests: amount("Requests of each load, at most."),
      bytes: bytes("Response bodies of each load as transferred, bytes, at most."),
      n: count("Loads of a page needed to tell its p95; 5 if absent.", 5),
    },
    "Page loads.",
  ),
  requests: partOf<Budget["requests"]>(
    { min: count("Fewer fail the check; 10 if absent.", 1) },
    "How many requests a recording must have.",
  ),
});
