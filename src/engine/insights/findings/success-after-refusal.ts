import type { Milliseconds } from "../../model/units.ts";
import { addTo } from "../grouped.ts";

/** The longest time from a refused request to the success that ends its wait. */
export const WAITED_UP_TO: Milliseconds = 120_000;

/**
 * For each refused request, the next request with its key that is not refused. `requests`: by start; those with the key
 * `null` are left out.
 */
export function successesAfterRefusal<One>(
  requests: readonly One[],
  isRefused: (request: One) => boolean,
  keyOf: (request: One) => string | null,
): ReadonlyMap<One, One> {
  const waiting = new Map<string, One[]>();
  const successes = new Map<One, One>();
  for (const request of requests) {
    const key = keyOf(request);
    if (key === null) continue;
    if (isRefused(request)) addTo(waiting, key, request);
    else {
      for (const refused of waiting.get(key) ?? []) successes.set(refused, request);
      waiting.delete(key);
    }
  }
  return successes;
}
