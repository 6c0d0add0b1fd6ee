import type { Steps } from "../../../model/steps.ts";
import type { Bytes } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { atEndpoint, type Context, claimedBy, draftOf, largestOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { isLargeByNature } from "../request.ts";
import { chosenFrom } from "../sliced.ts";
import { counted, inBytes, inMs, nameOf } from "../text.ts";
import { groupedBy, isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** docs/specification.md, large-responses. */
const LEAST_SHARE = 0.5;
const LARGE: Bytes = 500_000;
const TIMES_USUAL = 2;

/**
 * docs/specification.md, Oversized: by how much a size must exceed the usual size (`LEAST_ABOVE`), and the fewest
 * responses of the endpoint (`LEAST_RESPONSES`).
 */
const LEAST_ABOVE: Bytes = 10 * 1024;
const LEAST_RESPONSES = 5;

/** Responses whose transfer takes most of their latency, because their bodies are large. */
export function* largeResponses({ traffic, found }: Context): Steps<readonly Draft[]> {
  const claimed = claimedBy(found, ["uncompressed-responses"]);
  const whole = yield* chosenFrom(traffic.requests, couldBeSmaller);
  yield;
  const drafts: Draft[] = [];
  for (const own of groupedBy(whole, ({ endpointKey }) => endpointKey).values()) {
    if (!own.some(isTransferBound)) continue;
    const usual = medianOf(own.map(sizeOf));
    const limit =
      own.length >= LEAST_RESPONSES ? Math.max(TIMES_USUAL * usual, usual + LEAST_ABOVE) : Number.POSITIVE_INFINITY;
    const large = own.filter(
      (one) => isTransferBound(one) && !claimed.has(one.id) && (sizeOf(one) >= LARGE || sizeOf(one) > limit),
    );
    const [first] = large;
    if (first === undefined) continue;
    const time = waitingOf(large.map(({ client, end, transfer }) => ({ client, start: end - transfer, end })));
    const bytes = large.reduce((sum, one) => sum + Math.max(0, sizeOf(one) - Math.min(usual, LARGE)), 0);
    const median = medianOf(large.map(sizeOf));
    drafts.push(
      draftOf({
        kind: "large-responses",
        place: atEndpoint(first),
        count: large.length,
        time,
        bytes,
        confidence: "certain",
        telling: longestFirst(large),
        summary: `${nameOf(first.facts.endpoint)} returned ${counted(large.length, "large response")} (median ${inBytes(median)}); their transfer took ${inMs(time)}.`,
        advice:
          "Let the server send less: paginate, select fields, shrink images or compress better. This does not apply if the client needs the whole response.",
        evidence: [
          { name: "large responses", value: `${large.length} of ${own.length}` },
          { name: "median size of the large responses", value: inBytes(median) },
          { name: "the endpoint's median size", value: inBytes(usual) },
          { name: "largest", value: inBytes(largestOf(large.map(sizeOf))) },
        ],
        basis: "Up to: the transfer time of responses whose transfer took at least half of their latency.",
      }),
    );
  }
  return drafts;
}

function couldBeSmaller(request: Request): boolean {
  return request.latency !== null && isAwaited(request) && !isLargeByNature(request);
}

/** Whether the transfer takes at least half of the request's time. */
export function isTransferBound({ transfer, start, end }: Request): boolean {
  return transfer >= LEAST_SHARE * (end - start);
}

function sizeOf({ facts }: Request): Bytes {
  return facts.exchange.encodedBodySize;
}
