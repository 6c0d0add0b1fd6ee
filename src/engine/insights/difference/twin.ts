import { percentileOf } from "../../stats/percentile.ts";
import { valleyOf } from "../../stats/valley.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { LEAST_SLOW } from "../findings/slow-when/durations.ts";
import { durationOf, evenlySpaced, isComparable } from "../findings/slow-when/explanation.ts";
import type { Request } from "../findings/traffic.ts";
import { attributesOf } from "./attribute-values.ts";

/** The fewest other successful requests of an endpoint from which its usual is known (docs/specification.md, Limits). */
const LEAST_FOR_USUAL = 5;

/**
 * The usual twin of an exchange: of the endpoint's other successful requests whose duration is between the quartiles,
 * the one that differs from it in the fewest attributes; of several, the one nearest to the median. Where durations
 * have two modes, only the mode with the median is usual. `null` if there are too few requests. `own`: the endpoint's.
 */
export function twinOf(facts: ExchangeFacts, own: readonly Request[]): Request | null {
  const others = own.filter(
    (request) => isComparable(request) && (request.status ?? 0) < 400 && request.id !== facts.exchange.id,
  );
  if (others.length < LEAST_FOR_USUAL) return null;
  const usual = usualMode(Float64Array.from(others, durationOf).sort());
  const [low, middle, high] = [percentileOf(usual, 0.25), percentileOf(usual, 0.5), percentileOf(usual, 0.75)];
  const isUsual = (request: Request) => durationOf(request) >= low && durationOf(request) <= high;
  let best: { readonly request: Request; readonly differing: number; readonly distance: number } | null = null;
  for (const request of evenlySpaced(others.filter(isUsual))) {
    const differing = differingIn(facts, request.facts);
    const distance = Math.abs(durationOf(request) - middle);
    if (best === null || differing < best.differing || (differing === best.differing && distance < best.distance))
      best = { request, differing, distance };
  }
  return best?.request ?? null;
}

/** Of ascending durations, those of the mode that has the median. */
function usualMode(ascending: Float64Array): Float64Array {
  const cut = valleyOf(ascending, LEAST_SLOW)?.cut;
  if (cut === undefined) return ascending;
  const isSlow = percentileOf(ascending, 0.5) > cut;
  return ascending.filter((duration) => duration > cut === isSlow);
}

function differingIn(one: ExchangeFacts, other: ExchangeFacts): number {
  let count = 0;
  for (const { textIn, isMinor } of attributesOf([one, other]))
    if (!isMinor && textIn(one) !== textIn(other)) count += 1;
  return count;
}
