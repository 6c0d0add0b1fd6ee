import { laterStartsIn, targetEndpointOf } from "../insights/experiment/ended-experiment.ts";
import { laterStartText, verdictText } from "../insights/experiment/verdict-text.ts";
import { type Endpoint, partsOf } from "../model/endpoint.ts";
import type { Dependence, EndedExperiment, LaterStart, SlopeEstimate } from "../model/experiment.ts";
import type { OperationEndpoint } from "../model/finding.ts";
import type { Milliseconds } from "../model/units.ts";
import { redactedEndpoint } from "./finding-redaction.ts";
import { shownText } from "./redaction.ts";

/** What an experiment of the session found, as in the JSON report. */
export interface ExperimentReport {
  readonly endpoint: OperationEndpoint;
  /** The client whose responses were held; `null`: all. */
  readonly client: string | null;
  readonly levels: readonly Milliseconds[];
  readonly unit: EndedExperiment["unit"];
  /** How many units count. */
  readonly units: number;
  readonly verdict: Dependence;
  /** By how many ms a unit grows for each ms of delay; `null` if that is not known. */
  readonly slope: SlopeEstimate | null;
  readonly text: string;
  readonly later: readonly LaterReport[];
}

/** Whether a later request waits for the one that was held. */
interface LaterReport {
  readonly endpoint: OperationEndpoint;
  readonly verdict: LaterStart["kind"];
  readonly slope: SlopeEstimate | null;
  readonly units: number;
  readonly text: string;
}

/** `redact`: removes possible secrets from endpoints and clients. */
export function experimentReportOf(ended: EndedExperiment, redact: boolean): ExperimentReport {
  const { client, levels, unit, verdict } = ended;
  const endpointOf = (endpoint: Endpoint) => (redact ? redactedEndpoint(partsOf(endpoint)) : partsOf(endpoint));
  return {
    endpoint: endpointOf(targetEndpointOf(ended.target)),
    levels,
    unit,
    client: client === null ? null : shownText(client, redact),
    units: verdict.units,
    verdict: verdict.kind,
    slope: verdict.estimate,
    text: verdictText(verdict, unit),
    later: laterStartsIn(ended).map((one) => ({
      endpoint: endpointOf(one.endpoint as Endpoint),
      verdict: one.kind,
      slope: one.estimate,
      units: one.units,
      text: laterStartText(one, unit),
    })),
  };
}

/** The experiments as lines: each verdict, and what follows the endpoint or does not wait for it. */
export function experimentTextsOf(experiments: readonly ExperimentReport[]): {
  readonly title: string;
  readonly items: readonly string[];
} {
  const items = experiments.flatMap(({ endpoint, client, text, later }) => {
    const whose = client === null ? "" : ` of ${client}`;
    const known = later.filter(({ verdict }) => verdict !== "unknown");
    return [
      `${targetEndpointOf(endpoint)}${whose}: ${text}`,
      ...known.map((one) => `After ${targetEndpointOf(endpoint)}: ${targetEndpointOf(one.endpoint)} ${one.text}.`),
    ];
  });
  return { title: "Experiments", items };
}
