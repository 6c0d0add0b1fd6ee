import type { Steps } from "../../../model/steps.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import type { Request } from "../traffic.ts";
import { explanationOf, isComparable } from "./explanation.ts";
import type { Load } from "./load.ts";

/** Default; not from a specification: causes of one endpoint; each is looked for among the requests that the earlier ones left. */
const MOST_CAUSES = 3;

/** What slow requests of an endpoint have in common that the others lack. */
export interface EndpointCause {
  readonly attribute: { readonly name: string; readonly value: string };
  /** All requests with this cause, slow or not, except those of earlier causes. */
  readonly members: readonly ExchangeId[];
  /** Requests compared: those that no earlier cause has. */
  readonly compared: number;
  /** The medians of the durations with it and without it: without waiting for a connection and setting it up. */
  readonly median: Milliseconds;
  readonly usual: Milliseconds;
}

/** Which of one endpoint's requests were compared, and the causes, the most telling first. */
export interface EndpointCauses {
  readonly compared: readonly ExchangeId[];
  readonly causes: readonly EndpointCause[];
}

/** `endpoints`: how many are looked at in this session. */
export function* causesOf(requests: readonly Request[], load: Load, endpoints: number): Steps<EndpointCauses> {
  const comparable = requests.filter(isComparable);
  const causes: EndpointCause[] = [];
  for (let rest = comparable; causes.length < MOST_CAUSES; ) {
    const explanation = yield* explanationOf(rest, load, endpoints);
    if (explanation === null) break;
    const { split, median, usual } = explanation;
    const members = rest.filter(split.carries).map(({ id }) => id);
    causes.push({ attribute: split.attribute, members, compared: rest.length, median, usual });
    rest = rest.filter((request) => !split.carries(request));
  }
  return { compared: comparable.map(({ id }) => id), causes };
}
