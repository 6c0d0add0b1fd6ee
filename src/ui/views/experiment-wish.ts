import { type ExperimentState, experimentResultText } from "../../engine/messages/experiment-messages.ts";
import { type Endpoint, endpointAt } from "../../engine/model/endpoint.ts";
import type { OperationEndpoint } from "../../engine/model/finding.ts";
import type { ExchangeId } from "../../engine/model/units.ts";

export interface ExperimentWish {
  readonly endpoint: Endpoint;
  /** The dialog proposes the client of this exchange; `null`: all clients. */
  readonly exchange: ExchangeId | null;
}

/** The button "Does it matter?". */
export interface ExperimentButton {
  readonly wish: ExperimentWish | null;
  /** What the button does, or why it cannot. */
  readonly title: string;
}

const WORKS = "Find out by an experiment whether page loads or clients wait for it";

/** The button for an endpoint; its `wish` is `null` where the engine refuses the endpoint. */
export function experimentButtonOf(
  { method, origin, path, operation }: OperationEndpoint,
  exchange: ExchangeId | null,
  isStream = false,
): ExperimentButton {
  if (operation !== null) return { wish: null, title: "One operation of a path cannot be held back yet" };
  if (isStream) return { wish: null, title: "Streams cannot be held back, only whole responses" };
  return { wish: { endpoint: endpointAt(method, origin, path, null), exchange }, title: WORKS };
}

/** What the experiment found, if it was one on this endpoint; else "". */
export function experimentVerdictOf(endpoint: Endpoint | null, state: ExperimentState | null): string {
  if (endpoint === null || state === null || state.result === null) return "";
  const { method, origin, path } = state.target;
  const isOwn = endpointAt(method, origin, path, null) === endpoint;
  return isOwn ? `Experiment: ${experimentResultText(state.result)}` : "";
}
