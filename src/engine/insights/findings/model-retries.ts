import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";

/** The longest time from a refused call to the stream that ends its wait. */
const WAITED_UP_TO: Milliseconds = 120_000;

/** RFC 6585, 4; RFC 9110, 15.6.4; 529 is Anthropic's "overloaded". */
const REFUSED: ReadonlySet<number> = new Set([429, 503, 529]);

/** The names of the same refusals as the only event of a stream with status 200. */
const REFUSED_IN_STREAM = /overload|rate_?limit|exhausted|unavailable|^(?:429|503|529)$/i;

/** What this file needs of a request in traffic.ts. */
interface Sent {
  readonly id: ExchangeId;
  readonly facts: Pick<ExchangeFacts, "model">;
  readonly endpointKey: string;
  readonly status: number | null;
  readonly start: number;
}

/**
 * For each refused call to a language model, the stream of the same call that came in the end. Other kinds leave these
 * refusals to `slow-streams`. `requests`: by start; `identityOf`: as in traffic.ts.
 */
export function modelRetriesIn<One extends Sent>(
  requests: readonly One[],
  identityOf: (request: One) => string | null,
): ReadonlyMap<ExchangeId, One> {
  const retries = new Map<ExchangeId, One>();
  const endpoints = new Set(requests.filter(({ facts }) => facts.model?.isStream).map((one) => one.endpointKey));
  const waiting = new Map<string, One[]>();
  for (const request of requests) {
    const isRefused = REFUSED.has(request.status ?? 0) || isRefusedInStream(request);
    if (!endpoints.has(request.endpointKey) || !(isRefused || request.facts.model?.isStream)) continue;
    const identity = identityOf(request);
    if (identity === null) continue;
    const refused = waiting.get(identity);
    if (isRefused && refused !== undefined) refused.push(request);
    else if (isRefused) waiting.set(identity, [request]);
    else {
      for (const one of refused ?? []) if (request.start - one.start <= WAITED_UP_TO) retries.set(one.id, request);
      waiting.delete(identity);
    }
  }
  return retries;
}

function isRefusedInStream({ facts: { model } }: Sent): boolean {
  return model !== null && model.tokens === null && model.error !== null && REFUSED_IN_STREAM.test(model.error);
}
