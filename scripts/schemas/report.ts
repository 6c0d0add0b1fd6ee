import type { WhatIf } from "../../src/engine/insights/what-if/endpoint-changes.ts";
import type { ExperimentReport } from "../../src/engine/interchange/experiment-report.ts";
import type { SourceReport } from "../../src/engine/interchange/source-report.ts";
import type { SlopeEstimate } from "../../src/engine/model/experiment.ts";
import { FINDING_KINDS, type Finding, type OperationEndpoint } from "../../src/engine/model/finding.ts";
import type { Gain, LoadGain } from "../../src/engine/model/load-gain.ts";
import {
  type LoadStep,
  type PageLoad,
  type SlowestRequest,
  WAIT_PHASES,
  type WaitPart,
  type Where,
} from "../../src/engine/model/where.ts";
import { amount, choice, count, exchanges, flag, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

const named = (description: string): Schema =>
  objectOf({ name: text(""), value: text("The value with its unit.") }, description);

const endpoint = objectOf<OperationEndpoint>({
  method: text("The method, as sent."),
  origin: text("Scheme, host and port."),
  path: text("The path without query; {id} stands for the part in which similar paths differ."),
  operation: orNull(text("The GraphQL, JSON-RPC or SOAP operation.")),
});

const gain = (description: string): Schema =>
  objectOf<Gain>(
    {
      byLinks: amount("If requests move only with those that they are proven to need, ms.", null),
      atMost: amount("If requests may also have waited for others, ms.", null),
    },
    description,
  );

const loadGain = objectOf<LoadGain>(
  {
    unit: choice(["load", "walk"], "A page load, or one occurrence of a walk that occurred three times."),
    units: count("The loads or walks with one of the exchanges.", 1),
    onPath: count("In how many of these the exchanges are on the path."),
    perhaps: count("In how many more they may be on the path."),
    median: gain("The median gain."),
    sum: gain("The sum of the gains."),
    duration: amount("The duration of these loads or walks, summed, ms."),
  },
  "How much sooner page loads, else walks, would end.",
);

export const FINDING = objectOf<Finding>(
  {
    kind: choice(FINDING_KINDS, "The cause."),
    endpoint: { anyOf: [endpoint, { type: "null" }] },
    origin: orNull(text("The origin, if the finding is about one.")),
    client: orNull(text("The client, if the finding is about one.")),
    attribute: { anyOf: [named("What the slow requests have in common, or the phase."), { type: "null" }] },
    count: count("Occurrences."),
    time: orNull(amount("Waiting that would be saved, ms; null: unknown.")),
    bytes: orNull(amount("Bytes that need not have been sent; null: unknown.")),
    confidence: choice(
      ["certain", "likely", "possible"],
      "certain: a protocol fact or a measurement; likely: supported by evidence, such as a statistical test or proven links; possible: a heuristic.",
    ),
    exchanges: { ...exchanges("Exchanges that show the finding, the clearest first."), maxItems: 100 },
    fingerprint: text("What identifies the finding in other recordings: weir check and weir accept know it by this."),
    onPath: {
      ...amount("The share of these loads or walks in which the exchanges are on the path; absent without loadGain."),
      maximum: 1,
    },
    loadGain,
    summary: text("What is wrong."),
    advice: text("What to do."),
    evidence: listOf(named("A figure behind the summary.")),
    basis: text('How the finding was measured; begins with "Up to:" if time is an upper bound.'),
  },
  undefined,
  ["fingerprint", "onPath", "loadGain"],
);

const phase = (description: string): Schema => choice(WAIT_PHASES, description);
const exchange = count("The exchange's id.", 1);

const where = objectOf<Where>(
  {
    waiting: amount("Waiting for responses with an end, ms; without streams, WebSockets and long polls."),
    parts: listOf(
      objectOf<WaitPart>({
        endpoint,
        phase: phase("What this time was spent on."),
        time: amount("ms."),
        share: { ...amount("Share of the waiting."), maximum: 1 },
        requests: count("Requests that held this time.", 1),
      }),
      "The largest first. The times add up to the waiting, in whole microseconds.",
    ),
    slowest: {
      ...listOf(
        objectOf<SlowestRequest>({
          exchange,
          endpoint,
          latency: amount("From start to end, ms; for a failed request, until it failed."),
          phase: phase("The phase that took the longest."),
          phaseTime: amount("ms."),
          usual: orNull(amount("Median of this phase in the endpoint's requests, else in the origin's others, ms.")),
          usualOf: orNull(choice(["endpoint", "origin"], "Whose requests the median is of.")),
        }),
        "The longest first.",
      ),
      maxItems: 5,
    },
    loads: {
      ...listOf(
        objectOf<PageLoad>({
          start: amount("Milliseconds since 1970."),
          duration: amount("From the document's start to the load's end, ms."),
          path: listOf(
            objectOf<LoadStep>(
              {
                exchange,
                endpoint,
                gap: amount("From the end of the previous step, ms."),
                meanwhile: orNull(endpoint),
                isPossible: flag(
                  "That it waited for the previous step is possible, not proven; absent if it is proven.",
                ),
                time: amount("Until the exchange's end, or the start of the next step, ms."),
                phase: phase("The phase that took the longest part of this time."),
                ifGone: gain("How much sooner the load would end if this exchange took no time."),
                ifRunGone: gain(
                  "Of the first of at least four steps to one endpoint: how much sooner the load would end if all of them took no time.",
                ),
              },
              undefined,
              ["isPossible", "ifGone", "ifRunGone"],
            ),
            "The critical path.",
          ),
        }),
        "The longest page loads, by start.",
      ),
      maxItems: 50,
    },
    limits: listOf(text(""), "What the source cannot tell."),
  },
  "What the waiting was spent on.",
);

const whatIf = objectOf<WhatIf>(
  {
    changes: listOf(
      objectOf<WhatIf["changes"][number]>({
        endpoint: text("The endpoint, as given."),
        to: amount("The time that its requests would take, ms."),
        requests: count("The requests to it.", 1),
      }),
    ),
    loads: { anyOf: [loadGain, { type: "null" }] },
    walks: { anyOf: [loadGain, { type: "null" }] },
  },
  "What the changes of --what-if together would save; absent without them.",
);

const slope = (description: string): Schema => ({
  anyOf: [
    objectOf<SlopeEstimate>(
      {
        slope: amount("The slope.", null),
        low: amount("The lower end of its interval of 95 %.", null),
        high: amount("The upper end.", null),
      },
      description,
    ),
    { type: "null" },
  ],
});

const experiment = objectOf<ExperimentReport>({
  endpoint,
  client: orNull(text("The client whose responses were held; null: all.")),
  levels: listOf(amount("ms."), "By how long responses were held, drawn for each unit."),
  unit: choice(["load", "walk"], "What was timed."),
  units: count("How many units count."),
  verdict: choice(["on-path", "not-on-path", "partly", "unknown"], "Whether units wait for the endpoint."),
  slope: slope("By how many ms a unit grows for each ms of delay."),
  text: text("The verdict."),
  later: listOf(
    objectOf<ExperimentReport["later"][number]>({
      endpoint,
      verdict: choice(["follows", "independent", "unknown"], "Whether its start moves with the delay."),
      slope: slope("By how many ms it starts later for each ms of delay; only if it follows."),
      units: count("The units in which it was requested."),
      text: text("The same in words."),
    }),
    "Endpoints that were requested after the first one.",
  ),
});

/** The report on one source. */
export const REPORT: Schema = objectOf<SourceReport>(
  {
    schema: { const: 1 },
    source: text("The file, or the session's id."),
    exchanges: count("Counted exchanges."),
    clients: count("Clients of these exchanges."),
    duration: amount("From the first start to the last end, ms."),
    waiting: amount("Time in which a client waited for a response, ms, summed over clients."),
    where,
    findings: listOf(FINDING, "The costliest first."),
    endpoints: count("Endpoints requested, operations counted separately."),
    uncounted: count(
      "Exchanges that are not counted: unfinished, malformed and resent ones, probes, tunnels, and those from a browser's cache.",
    ),
    leftOut: listOf(
      objectOf({ entry: count("", 1), reason: text("") }),
      "The first 100 entries of a HAR file that could not be read.",
    ),
    leftOutCount: count("Number of all entries that could not be read."),
    whatIf,
    experiments: listOf(experiment, "What the session's experiments found, the latest first; absent without any."),
  },
  undefined,
  ["whatIf", "experiments"],
);
