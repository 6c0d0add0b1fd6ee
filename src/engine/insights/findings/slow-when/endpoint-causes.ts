import type { CutCounts } from "../../../messages/latency-messages.ts";
import type { Steps } from "../../../model/steps.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import type { Request } from "../traffic.ts";
import { type Explanation, explanationOf, isComparable } from "./explanation.ts";
import type { Load } from "./load.ts";

/**
 * The most causes of one endpoint. Each cause is searched among the requests without
 * an earlier cause.
 */
const MOST_CAUSES = 3;

/** An attribute that an endpoint's slow requests share and its other requests lack. */
export interface EndpointCause {
  readonly attribute: { readonly name: string; readonly value: string };
  /** All requests with this attribute, slow or not, without the requests of earlier causes. */
  readonly members: readonly ExchangeId[];
  /** The number of requests compared, without those of earlier causes. */
  readonly compared: number;
  /**
   * The median duration with the attribute, and without it. Durations exclude the wait for a connection and its set-up.
   */
  readonly median: Milliseconds;
  readonly usual: Milliseconds;
  readonly cut: CutCounts;
}

/** The compared requests of one endpoint, and its causes. The cause that explains most comes first. */
export interface EndpointCauses {
  readonly compared: readonly ExchangeId[];
  readonly causes: readonly EndpointCause[];
}

/** Finds the causes of one endpoint. `endpoints`: how many endpoints of the session are examined, to correct p. */
export function* causesOf(requests: readonly Request[], load: Load, endpoints: number): Steps<EndpointCauses> {
  const comparable = requests.filter(isComparable);
  const causes: EndpointCause[] = [];
  for (let rest = comparable; causes.length < MOST_CAUSES; ) {
    const explanation = yield* explanationOf(rest, load, endpoints);
    if (explanation === null) break;
    const { split, median, usual } = explanation;
    const cut = cutCountsOf(explanation);
    const members = rest.filter(split.carries).map(({ id }) => id);
    causes.push({ attribute: split.attribute, members, compared: rest.length, median, usual, cut });
    rest = rest.filter((request) => !split.carries(request));
  }
  return { compared: comparable.map(({ id }) => id), causes };
}

function cutCountsOf({ cut, slow, inside, outside }: Explanation): CutCounts {
  return {
    at: cut,
    slowWith: slow.with,
    slow: slow.with + slow.without,
    othersWith: inside.length - slow.with,
    others: inside.length + outside.length - slow.with - slow.without,
  };
}
