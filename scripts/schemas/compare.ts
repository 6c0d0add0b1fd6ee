import type { FindingChanges, KnownFinding } from "../../src/engine/insights/findings/finding-changes.ts";
import type {
  ComparedEndpoint,
  ComparedLoads,
  ComparedSource,
  ComparisonReport,
  RareEndpoint,
} from "../../src/engine/interchange/comparison-report.ts";
import {
  COMPARE_VERDICTS,
  type CompareFigures,
  type CompareVerdict,
} from "../../src/engine/messages/compare-messages.ts";
import type { OverallChange } from "../../src/engine/model/trend.ts";
import { FINDING } from "./report.ts";
import { amount, choice, count, flag, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

const orNone = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });

const side = objectOf<ComparedSource>({
  source: text("The file, or the session's id."),
  label: text("What the session is called; empty without a name."),
  requests: count("Counted requests."),
  errors: count("Requests that failed or were answered with a status of 400 or more."),
  bytes: count("Bytes of bodies, as transferred."),
  p50: orNull(amount("Of all latencies, ms.")),
  p95: orNull(amount("Of all latencies, ms.")),
  waiting: amount("Time in which a client waited for a response, ms, summed over clients."),
  slowed: flag("Whether Weir slowed some of it on purpose."),
});

const figures = orNone(
  objectOf<CompareFigures>({
    requests: count("Requests.", 5),
    p50: orNull(amount("ms.")),
    p95: orNull(amount("ms.")),
    p99: orNull(amount("ms.")),
    avgSize: orNull(amount("Mean response body as transferred, bytes.")),
    errorRate: { ...amount("Percent."), maximum: 100 },
  }),
);

const endpoint = objectOf<ComparedEndpoint>({
  method: text("The method, as sent."),
  origin: text("Scheme, host and port."),
  path: text("The path without query; {id} stands for the part in which similar paths differ."),
  operation: orNull(text("The GraphQL, JSON-RPC or SOAP operation.")),
  verdict: choice(COMPARE_VERDICTS, "How the latencies changed; absent: there are none before, or none now."),
  note: orNull(text("Why no change could be detected.")),
  shown: orNull(amount("The smallest growth of all latencies that the samples would have shown, such as 1.3.")),
  before: figures,
  now: figures,
  samples: objectOf({ before: count("Latencies."), now: count("Latencies.") }, "The latencies that were compared."),
  uncertain: objectOf(
    { before: count("Latencies."), now: count("Latencies.") },
    "The latencies that were left out because they are too uncertain.",
  ),
});

const pageLoads = objectOf<ComparedLoads["now"]>({ loads: count("Loads."), p50: amount("Of their durations, ms.") });

const known = listOf(objectOf<KnownFinding>({ before: FINDING, now: FINDING }));

/** The output of `weir compare --format json`. */
export const COMPARE: Schema = objectOf<ComparisonReport>({
  schema: { const: 1 },
  before: side,
  now: side,
  summary: text("Whether it became slower, in one sentence."),
  counts: objectOf<Readonly<Record<CompareVerdict, number>>>(
    {
      slower: count(""),
      faster: count(""),
      unknown: count(""),
      "same-median": count(""),
      same: count(""),
      absent: count(""),
    },
    "The number of endpoints by verdict.",
  ),
  overall: orNone(
    objectOf<OverallChange>({
      before: amount("What the requests of now would have taken before, at the endpoints that changed, ms."),
      change: amount("How much longer they took, ms.", null),
      most: orNone(
        objectOf<NonNullable<OverallChange["most"]>>(
          { endpoint: text("The endpoint."), change: amount("ms.", null) },
          "The endpoint with the largest part of it.",
        ),
      ),
      requests: count("Requests of now at the endpoints that changed, with those whose times are uncertain."),
      changed: count("Endpoints that became slower or faster."),
      untold: count("Endpoints with too few requests to tell."),
      endpoints: count("Endpoints with latencies in both."),
    }),
  ),
  endpoints: listOf(endpoint, "The slower ones first."),
  rare: listOf(
    objectOf<RareEndpoint>({
      endpoint: text("Method, origin, path and operation."),
      before: count("Requests."),
      now: count("Requests."),
    }),
    "The endpoints with fewer than 5 requests on both sides, which have no percentiles.",
  ),
  loads: listOf(
    objectOf<ComparedLoads>({
      page: text("The endpoint of the document."),
      verdict: choice(COMPARE_VERDICTS, "How the durations of its loads changed."),
      note: orNull(text("Why no change could be detected.")),
      before: pageLoads,
      now: pageLoads,
    }),
    "The pages that were loaded in both, by name.",
  ),
  findings: objectOf<FindingChanges>({
    added: listOf(FINDING, "New findings, the costliest first."),
    gone: listOf(FINDING, "Findings that are gone."),
    worse: known,
    better: known,
    same: { ...known, description: "Findings in both, without a change that a test shows." },
  }),
});
