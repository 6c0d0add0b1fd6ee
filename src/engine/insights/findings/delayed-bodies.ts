import type { Bytes, Milliseconds } from "../../model/units.ts";
import { medianOf, percentileOf } from "../../stats/percentile.ts";

/**
 * A server may send this much before the first acknowledgement (RFC 6928, 2: ten segments). Smaller bodies do not show
 * how quick a line is.
 */
export const ONE_FLIGHT: Bytes = 14_600;

/** The transfers that a delayed acknowledgement explains. Linux delays one by at least 40 ms. */
const DELAY: readonly [Milliseconds, Milliseconds] = [35, 50];

/** A shorter transfer of a small body was not delayed. */
const PROMPT: Milliseconds = 10;

const LEAST_DELAYED = 5;
const LEAST_SHARE = 0.2;

/** Nearly all of an endpoint's small bodies are prompt or delayed: a server that is slow to write spreads them. */
const LEAST_IN_TWO_MODES = 0.9;

/**
 * The delays differ by at most this between the 10th percentile and the 75th, as a timer's do. On a busy machine the
 * slowest timers are later.
 */
const MOST_SPREAD: Milliseconds = 6;

/** Small bodies of one endpoint that waited for the acknowledgement of their head (RFC 896; RFC 9293, 3.8.6.3). */
export interface DelayedBodies<One> {
  readonly requests: readonly One[];
  /** How many small bodies the endpoint returned. */
  readonly of: number;
  /** The usual transfer of the others; 0 if all were delayed. */
  readonly usual: Milliseconds;
}

/**
 * The bodies that often come about 40 ms after their head; `null` if there are none. `small`: an endpoint's requests
 * with a body of at most `ONE_FLIGHT`.
 */
export function delayedBodiesAmong<One extends { readonly transfer: Milliseconds }>(
  small: readonly One[],
): DelayedBodies<One> | null {
  const requests = small.filter(({ transfer }) => transfer >= DELAY[0] && transfer <= DELAY[1]);
  const prompt = small.filter(({ transfer }) => transfer <= PROMPT);
  if (requests.length < LEAST_DELAYED || requests.length < LEAST_SHARE * small.length) return null;
  if (requests.length + prompt.length < LEAST_IN_TWO_MODES * small.length) return null;
  const delays = Float64Array.from(requests.map(({ transfer }) => transfer)).sort();
  if (percentileOf(delays, 0.75) - percentileOf(delays, 0.1) > MOST_SPREAD) return null;
  return { requests, of: small.length, usual: prompt.length === 0 ? 0 : medianOf(prompt.map((one) => one.transfer)) };
}
