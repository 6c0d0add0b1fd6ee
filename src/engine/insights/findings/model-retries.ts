import type { ExchangeId } from "../../model/units.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { successesAfterRefusal, WAITED_UP_TO } from "./success-after-refusal.ts";

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
  const isRefused = (request: One) => REFUSED.has(request.status ?? 0) || isRefusedInStream(request);
  const endpoints = new Set(requests.filter(({ facts }) => facts.model?.isStream).map((one) => one.endpointKey));
  const answers = successesAfterRefusal(requests, isRefused, (request) => {
    const isCounted = endpoints.has(request.endpointKey) && (isRefused(request) || request.facts.model?.isStream);
    return isCounted ? identityOf(request) : null;
  });
  const prompt = [...answers].filter(([refused, stream]) => stream.start - refused.start <= WAITED_UP_TO);
  return new Map(prompt.map(([refused, stream]) => [refused.id, stream]));
}

function isRefusedInStream({ facts: { model } }: Sent): boolean {
  return model !== null && model.tokens === null && model.error !== null && REFUSED_IN_STREAM.test(model.error);
}
