import type { Milliseconds } from "../../model/units.ts";
import { SET_UP_PHASES, type SlowestRequest, type WaitPhase } from "../../model/where.ts";
import { medianOf } from "../../stats/percentile.ts";
import { isAwaited, type Request, type Traffic } from "../findings/traffic.ts";
import { microsecondsOf, millisecondsOf } from "../microseconds.ts";
import { largestPhaseOf, type PhaseTimes, phaseTimesOf } from "./phase-times.ts";

const MOST_REQUESTS = 5;

/** The fewest other requests beside which a median is called usual. */
const LEAST_OTHERS = 3;

/** The slowest requests, the longest first. */
export function slowestRequestsOf(traffic: Traffic): readonly SlowestRequest[] {
  const slowest: Request[] = [];
  for (const request of traffic.requests) {
    if (!isAwaited(request) || request.end <= request.start) continue;
    const index = slowest.findIndex((other) => lengthOf(request) > lengthOf(other));
    if (index >= 0) slowest.splice(index, 0, request);
    else if (slowest.length < MOST_REQUESTS) slowest.push(request);
    if (slowest.length > MOST_REQUESTS) slowest.pop();
  }
  const described: SlowestRequest[] = [];
  for (const request of slowest) {
    const { phase, time } = largestPhaseOf(timesOf(request));
    const usual = usualOf(request, phase, traffic);
    described.push(
      Object.freeze({
        exchange: request.id,
        endpoint: request.facts.endpoint,
        latency: millisecondsOf(microsecondsOf(request.end) - microsecondsOf(request.start)),
        phase,
        phaseTime: millisecondsOf(time),
        ...usual,
      }),
    );
  }
  return Object.freeze(described);
}

function lengthOf({ start, end }: Request): Milliseconds {
  return end - start;
}

function timesOf({ facts, start, end }: Request): PhaseTimes {
  return phaseTimesOf(facts.exchange, microsecondsOf(start), microsecondsOf(end));
}

/** As `SlowestRequest.usual`: one figure for all requests of the endpoint with this phase. */
function usualOf(
  request: Request,
  phase: WaitPhase,
  { endpoints, routes }: Traffic,
): Pick<SlowestRequest, "usual" | "usualOf"> {
  const isSetUp = SET_UP_PHASES.has(phase);
  const ofEndpoint = isSetUp ? [] : (endpoints.get(request.endpointKey) ?? []);
  const ofOrigin = (routes.get(request.route) ?? []).filter(
    ({ endpointKey }) => isSetUp || endpointKey !== request.endpointKey,
  );
  for (const [usualOf, alike] of [
    ["endpoint", ofEndpoint],
    ["origin", ofOrigin],
  ] as const) {
    const times: number[] = [];
    for (const one of alike) {
      const time = isAwaited(one) ? timesOf(one).get(phase) : undefined;
      if (time !== undefined) times.push(time);
    }
    const others = times.length - Number(alike.includes(request));
    if (others >= LEAST_OTHERS) return { usual: millisecondsOf(Math.round(medianOf(times))), usualOf };
  }
  return { usual: null, usualOf: null };
}
