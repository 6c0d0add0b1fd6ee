import type { Milliseconds } from "../../../model/units.ts";
import { groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { responseField } from "../request.ts";
import { counted, inMs, nameOf } from "../text.ts";
import { identityOf, type Request } from "../traffic.ts";
import { type Span, waitingOf } from "../waiting.ts";

/** The longest time from a refused request to the success that ends its wait. */
const WAITED_UP_TO: Milliseconds = 120_000;

/**
 * Requests refused with 429, or with 503 and Retry-After (RFC 6585, 4; RFC 9110, 15.6.4). They cost the time until the
 * same request succeeds.
 */
export function rateLimited({ traffic }: Context): readonly Draft[] {
  const limited = traffic.requests.filter((one) => isRateLimited(one) && !traffic.modelRetries.has(one.id));
  if (limited.length === 0) return [];
  const waits = untilSuccess(traffic.requests, new Set(limited.map(({ endpointKey }) => endpointKey)));
  const drafts: Draft[] = [];
  for (const own of groupedBy(limited, ({ endpointKey }) => endpointKey).values()) {
    const [first] = own;
    if (first === undefined) continue;
    const time = waitingOf(own.map((request) => waits.get(request)?.span ?? request));
    const ends = own.flatMap((request) => waits.get(request)?.success ?? []);
    const told = own.filter((request) => responseField(request, "retry-after") !== null).length;
    const statuses = [...new Set(own.map(({ status }) => status))].join(", ");
    drafts.push(
      draftOf({
        kind: "rate-limited",
        scope: atEndpoint(first),
        time,
        confidence: "certain",
        telling: longestFirst(own),
        covers: [...own, ...ends],
        summary: `The server refused ${counted(own.length, "request")} to ${nameOf(first.facts.endpoint)} with ${statuses}, which cost the clients ${inMs(time)}.`,
        advice: `Send fewer requests in parallel, batch or cache them, or ask for a higher limit.${told > 0 ? " Wait as long as Retry-After says." : ""}`,
        evidence: figures({
          "refused requests": own.length,
          status: statuses,
          "refusals with Retry-After": told,
        }),
        basis:
          "The time from each refused request to the start of the client's first successful retry within two minutes. Without such a retry, only the refused request's own time counts.",
      }),
    );
  }
  return drafts;
}

function isRateLimited(request: Request): boolean {
  return request.status === 429 || (request.status === 503 && responseField(request, "retry-after") !== null);
}

/** The wait of a refused request, and the success that ended it. */
interface Wait {
  readonly span: Span;
  readonly success: Request;
}

/**
 * The wait from each refused request to the next success of the same request. Refused requests without a success within
 * `WAITED_UP_TO` are absent.
 */
function untilSuccess(requests: readonly Request[], endpoints: ReadonlySet<string>): Map<Request, Wait> {
  const waiting = new Map<string, Request[]>();
  const waits = new Map<Request, Wait>();
  for (const request of requests) {
    if (!endpoints.has(request.endpointKey)) continue;
    const identity = identityOf(request);
    if (identity === null) continue;
    const refused = waiting.get(identity) ?? [];
    if (isRateLimited(request)) waiting.set(identity, [...refused, request]);
    else if (!request.isError) {
      for (const one of refused)
        if (request.start - one.start <= WAITED_UP_TO)
          waits.set(one, {
            span: { client: one.client, start: one.start, end: request.start },
            success: request,
          });
      waiting.delete(identity);
    }
  }
  return waits;
}
