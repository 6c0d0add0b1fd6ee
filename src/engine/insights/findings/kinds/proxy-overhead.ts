import { isTooUncertain } from "../../../model/exchange.ts";
import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import type { Group } from "../../grouped.ts";
import { atEndpoint, type Context, draftOf, draftsByEndpoint, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { counted, inMs, inPercent, nameOf } from "../text.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** docs/specification.md, proxy-overhead. */
const LEAST_OVERHEAD: Milliseconds = 5;
const LEAST_SHARE = 0.1;

/** The fewest requests of an endpoint (docs/specification.md, Row). */
const LEAST_REQUESTS = 5;

/** Endpoints for which Weir's own time is a large part of the latency. */
export function proxyOverhead({ traffic }: Context): readonly Draft[] {
  const timed = traffic.requests.filter(
    (request) =>
      isAwaited(request) && request.facts.weir !== null && request.latency !== null && !isTooUncertain(request),
  );
  return draftsByEndpoint(timed, draftFor);
}

function draftFor(own: Group<Request>): Draft | null {
  const [first] = own;
  if (own.length < LEAST_REQUESTS) return null;
  const overhead = medianOf(own.map(overheadOf));
  const latency = medianOf(own.map((request) => request.latency ?? 0));
  if (overhead < LEAST_OVERHEAD || overhead < LEAST_SHARE * latency) return null;
  const time = waitingOf(
    own.map((request) => ({ client: request.client, start: request.start, end: request.start + overheadOf(request) })),
  );
  return draftOf({
    kind: "proxy-overhead",
    scope: atEndpoint(first),
    time,
    confidence: "certain",
    telling: own.toSorted((left, right) => overheadOf(right) - overheadOf(left)),
    summary: `Weir itself added a median of ${inMs(overhead)} to ${nameOf(first.facts.endpoint)}, ${inPercent(overhead / latency)} of its latency.`,
    advice:
      "Compare with a direct request before you judge the server. Send fewer requests in parallel, or let Weir capture fewer hosts.",
    evidence: figures({
      "median overhead": inMs(overhead),
      "median latency": inMs(latency),
      requests: counted(own.length, "request"),
    }),
    basis:
      "The time from receiving to sending the request's head, plus from receiving to sending the response's first byte. Opening a connection, and waiting for one, do not count.",
  });
}

function overheadOf({ facts }: Request): Milliseconds {
  return facts.weir ?? 0;
}
