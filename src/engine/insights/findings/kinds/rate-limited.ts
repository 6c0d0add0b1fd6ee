import type { Group } from "../../grouped.ts";
import { atEndpoint, type Context, draftOf, draftsByEndpoint, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { responseField } from "../request.ts";
import { successesAfterRefusal, WAITED_UP_TO } from "../success-after-refusal.ts";
import { counted, inMs, nameOf } from "../text.ts";
import { identityOf, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/**
 * Requests refused with 429, or with 503 and Retry-After (RFC 6585, 4; RFC 9110, 15.6.4). They cost the time until the
 * same request succeeds.
 */
export function rateLimited({ traffic }: Context): readonly Draft[] {
  const limited = traffic.requests.filter((one) => isRateLimited(one) && !traffic.modelRetries.has(one.id));
  if (limited.length === 0) return [];
  const endpoints = new Set(limited.map(({ endpointKey }) => endpointKey));
  const successes = successesAfterRefusal(traffic.requests, isRateLimited, (request) =>
    endpoints.has(request.endpointKey) && (isRateLimited(request) || !request.isError) ? identityOf(request) : null,
  );
  return draftsByEndpoint(limited, (own) => draftFor(own, successes));
}

function draftFor(own: Group<Request>, successes: ReadonlyMap<Request, Request>): Draft {
  const [first] = own;
  const waits = own.map((refused) => {
    const success = successes.get(refused);
    return success === undefined || success.start - refused.start > WAITED_UP_TO ? { refused } : { refused, success };
  });
  const time = waitingOf(
    waits.map(({ refused, success }) =>
      success === undefined ? refused : { client: refused.client, start: refused.start, end: success.start },
    ),
  );
  const told = own.filter((request) => responseField(request, "retry-after") !== null).length;
  const statuses = [...new Set(own.map(({ status }) => status))].join(", ");
  return draftOf({
    kind: "rate-limited",
    scope: atEndpoint(first),
    time,
    confidence: "certain",
    telling: longestFirst(own),
    covers: [...own, ...waits.flatMap(({ success }) => success ?? [])],
    summary: `The server refused ${counted(own.length, "request")} to ${nameOf(first.facts.endpoint)} with ${statuses}, which cost the clients ${inMs(time)}.`,
    advice: `Send fewer requests in parallel, batch or cache them, or ask for a higher limit.${told > 0 ? " Wait as long as Retry-After says." : ""}`,
    evidence: figures({
      "refused requests": own.length,
      status: statuses,
      "refusals with Retry-After": told,
    }),
    basis:
      "The time from each refused request to the start of the client's first successful retry within two minutes. Without such a retry, only the refused request's own time counts.",
  });
}

function isRateLimited(request: Request): boolean {
  return request.status === 429 || (request.status === 503 && responseField(request, "retry-after") !== null);
}
