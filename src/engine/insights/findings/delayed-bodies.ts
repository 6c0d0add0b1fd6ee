import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import { medianOf, percentileOf } from "../../stats/percentile.ts";
import { ONE_FLIGHT, sizeOf } from "./line.ts";
import { isAwaited, type Request, type Traffic } from "./traffic.ts";

/** The transfers that a delayed acknowledgement explains. Linux delays one by at least 40 ms. */
const DELAY: readonly [Milliseconds, Milliseconds] = [35, 50];

/** A shorter transfer of a small body was not delayed. */
const PROMPT: Milliseconds = 10;

const LEAST_DELAYED = 5;
const LEAST_SHARE = 0.2;

/** Nearly all of an endpoint's small bodies are prompt or delayed: a server that is slow to write spreads them. */
const LEAST_IN_TWO_MODES = 0.9;

/** The delays of the middle 80 % differ by at most this, as a timer's do. */
const MOST_SPREAD: Milliseconds = 6;

/** Small bodies of one endpoint that waited for the acknowledgement of their head (RFC 896; RFC 9293, 3.8.6.3). */
export interface DelayedBodies {
  readonly requests: readonly Request[];
  /** How many small bodies the endpoint returned. */
  readonly of: number;
  /** The usual transfer of the others; 0 if all were delayed. */
  readonly usual: Milliseconds;
}

/** The endpoints whose small bodies often come about 40 ms after their head. */
export function delayedBodiesOf({ endpoints }: Pick<Traffic, "endpoints">): readonly DelayedBodies[] {
  return [...endpoints.values()].flatMap((own) => {
    const small = own.length < LEAST_DELAYED ? [] : own.filter(isSmall);
    const requests = small.filter(({ transfer }) => transfer >= DELAY[0] && transfer <= DELAY[1]);
    const prompt = small.filter(({ transfer }) => transfer <= PROMPT);
    if (requests.length < LEAST_DELAYED || requests.length < LEAST_SHARE * small.length) return [];
    if (requests.length + prompt.length < LEAST_IN_TWO_MODES * small.length) return [];
    const delays = Float64Array.from(requests.map(({ transfer }) => transfer)).sort();
    if (percentileOf(delays, 0.9) - percentileOf(delays, 0.1) > MOST_SPREAD) return [];
    const usual = prompt.length === 0 ? 0 : medianOf(prompt.map(({ transfer }) => transfer));
    return [{ requests, of: small.length, usual }];
  });
}

function isSmall(request: Request): boolean {
  return isAwaited(request) && request.latency !== null && sizeOf(request) > 0 && sizeOf(request) <= ONE_FLIGHT;
}

/**
 * Whether delayed bodies are what makes the slow requests slow: without the transfers, less than half of the difference
 * of the medians is left.
 */
export function areSlowByDelay(
  slow: readonly Request[],
  others: readonly Request[],
  delayed: ReadonlySet<ExchangeId>,
): boolean {
  if (slow.filter(({ id }) => delayed.has(id)).length * 2 < slow.length) return false;
  const differenceOf = (timeOf: (request: Request) => number) =>
    medianOf(slow.map(timeOf)) - medianOf(others.map(timeOf));
  return differenceOf((one) => one.server ?? 0) * 2 < differenceOf((one) => (one.server ?? 0) + one.transfer);
}
