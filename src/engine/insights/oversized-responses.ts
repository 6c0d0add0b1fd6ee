import type { Settings } from "../model/settings.ts";
import type { Bytes } from "../model/units.ts";
import { MINIMUM_REQUESTS } from "../stats/endpoint-tally.ts";
import type { PayloadTally } from "../stats/payload-tally.ts";

/** The settings that define an oversized response. */
type OversizedSettings = Pick<Settings, "oversizedFactor" | "oversizedFloor">;

/**
 * Allows for rounding: a decimal factor, such as 2.3, is rounded, and so is a product with it. A size equal to the
 * limit must not count as above it.
 */
const ROUNDING = 1 + 2 * Number.EPSILON;

/**
 * docs/specification.md, Oversized: whether a body is larger than `oversizedFactor` times the mean of its endpoint's
 * *other* responses, and at least `oversizedFloor` larger than that mean. `false` for fewer than 5 responses. `payload`
 * must already count `size`.
 */
export function isOversized(
  size: Bytes,
  payload: Pick<PayloadTally, "responses" | "responseBytes">,
  { oversizedFactor, oversizedFloor }: OversizedSettings,
): boolean {
  if (payload.responses < MINIMUM_REQUESTS) return false;
  const { responses, responseBytes } = payload;
  const others = responses - 1;
  // Multiplies instead of dividing: sizes are whole numbers, so only the product with the factor is rounded.
  return (
    size * others > oversizedFactor * (responseBytes - size) * ROUNDING &&
    size * responses - responseBytes >= oversizedFloor * others
  );
}

/**
 * The smallest size that is oversized; infinite for fewer than 5 responses. Lets callers skip most responses quickly.
 */
export function leastOversized(
  payload: Pick<PayloadTally, "responses" | "responseBytes">,
  settings: OversizedSettings,
): Bytes {
  const { responses, responseBytes } = payload;
  const { oversizedFactor, oversizedFloor } = settings;
  if (responses < MINIMUM_REQUESTS) return Number.POSITIVE_INFINITY;
  const byFactor = (oversizedFactor * responseBytes) / (responses - 1 + oversizedFactor);
  const byFloor = (oversizedFloor * (responses - 1) + responseBytes) / responses;
  let least = Math.floor(Math.max(byFactor, byFloor));
  // The formula may give too small a size, since it rounds differently from `isOversized`.
  while (!isOversized(least, payload, settings)) least += 1;
  return least;
}
