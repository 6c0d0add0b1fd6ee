import type { Endpoint } from "../model/endpoint.ts";
import type { OverallChange } from "../model/trend.ts";
import type { Milliseconds } from "../model/units.ts";
import type { Sample } from "../stats/percentile.ts";

/** One endpoint's latencies before and now. */
export interface EndpointChange {
  readonly endpoint: Endpoint;
  readonly before: Sample;
  readonly now: Sample;
  /** The number of requests of now with a latency, also an uncertain one. */
  readonly requests: number;
  /** Whether a test found a change; `null` if the data cannot tell. */
  readonly isChanged: boolean | null;
}

/**
 * The change over all endpoints that changed: the requests of now, at the mean latencies of now and of before. `null`
 * without endpoints.
 */
export function overallChangeOf(endpoints: readonly EndpointChange[]): OverallChange | null {
  if (endpoints.length === 0) return null;
  const changed = endpoints.filter(({ isChanged }) => isChanged === true);
  const costs = changed.map((one) => {
    const { endpoint, before, requests } = one;
    return { endpoint, requests, usual: requests * meanOf(before), change: timeLostIn(one) };
  });
  const sumOf = (figure: "requests" | "usual" | "change") => costs.reduce((sum, cost) => sum + cost[figure], 0);
  const change = sumOf("change");
  // The largest part has the sign of the sum, which it explains.
  const [most] = costs.toSorted((one, other) => Math.sign(change) * (other.change - one.change));
  return Object.freeze({
    before: sumOf("usual"),
    change,
    most: change === 0 || most === undefined ? null : { endpoint: most.endpoint, change: most.change },
    requests: sumOf("requests"),
    changed: changed.length,
    untold: endpoints.filter(({ isChanged }) => isChanged === null).length,
    endpoints: endpoints.length,
  });
}

/** How much longer the requests of now took in all than at the mean latency of before; negative if less. */
export function timeLostIn({
  before,
  now,
  requests,
}: Pick<EndpointChange, "before" | "now" | "requests">): Milliseconds {
  return requests * (meanOf(now) - meanOf(before));
}

/** The mean; a sample of quantiles gives about the mean of all values. */
function meanOf({ values }: Sample): Milliseconds {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] as number;
  return values.length === 0 ? 0 : sum / values.length;
}
