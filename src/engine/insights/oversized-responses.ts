import type { Settings } from "../model/settings.ts";
import type { Bytes } from "../model/units.ts";
import { MINIMUM_REQUESTS } from "../stats/endpoint-tally.ts";
import type { PayloadTally } from "../stats/payload-tally.ts";

/** What decides whether a response is oversized. */
export type OversizedSettings = Pick<Settings, "oversizedFactor" | "oversizedFloor">;

/**
 * decisions.md, Oversized: a body of more than `oversizedFactor` times the mean of its endpoint's *other* responses
 * and at least `oversizedFloor` above it, once there are 5 responses. `size` is one of those that `payload` counted.
 */
export function isOversized(
  size: Bytes,
  payload: Pick<PayloadTally, "responses" | "responseBytes">,
  { oversizedFactor, oversizedFloor }: OversizedSettings,
): boolean {
  if (payload.responses < MINIMUM_REQUESTS) return false;
  const others = (payload.responseBytes - size) / (payload.responses - 1);
  return size > oversizedFactor * others && size - others >= oversizedFloor;
}

/** No response of the endpoint that is smaller is oversized: most are, and need no closer look. */
export function leastOversized(
  { responses, responseBytes }: Pick<PayloadTally, "responses" | "responseBytes">,
  { oversizedFactor, oversizedFloor }: OversizedSettings,
): Bytes {
  if (responses < MINIMUM_REQUESTS) return Number.POSITIVE_INFINITY;
  const byFactor = (oversizedFactor * responseBytes) / (responses - 1 + oversizedFactor);
  const byFloor = (oversizedFloor * (responses - 1) + responseBytes) / responses;
  return Math.floor(Math.max(byFactor, byFloor));
}
