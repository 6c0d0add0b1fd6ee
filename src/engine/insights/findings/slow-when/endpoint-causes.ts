import type { Steps } from "../../../model/steps.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import type { Request } from "../traffic.ts";
import { explanationOf, isComparable } from "./explanation.ts";
import type { Load } from "./load.ts";

/**
 * Largest number of causes of one endpoint; each is searched among the requests without an earlier cause. Default; not
 * from a specification.
 */
const MOST_CAUSES = 3;

/** An attribute that an endpoint's slow requests share and the others lack. */
export interface EndpointCause {
  readonly attribute: { readonly name: string; readonly value: string };
  /** All requests with this cause, slow or not, except those of earlier causes. */
  readonly members: readonly ExchangeId[];
  /** The number of requests compared: those without an earlier cause. */
  readonly compared: number;
  /** The medians of the durations with and without it, excluding the wait for a connection and its set-up. */
  readonly median: Milliseconds;
  readonly usual: Milliseconds;
}

/** The compared requests of one endpoint, and their causes, the one that explains most first. */
export interface EndpointCauses {
  readonly compared: readonly ExchangeId[];
  readonly causes: readonly EndpointCause[];
}

/** `endpoints`: how many are examined in this session. */
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
