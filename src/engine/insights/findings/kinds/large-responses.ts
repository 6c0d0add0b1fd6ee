import type { Bytes } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures, largestOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { isTransferBound, longTransfersOf, transferSpanOf } from "../long-transfers.ts";
import { sizeOf } from "../measured-line.ts";
import { sumOf } from "../numbers.ts";
import { isLargeByNature } from "../request.ts";
import { FEW_BELOW, joinedByTime } from "../slow-few.ts";
import { counted, inBytes, inMs, nameWithOthers } from "../text.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** docs/specification.md, large-responses: a body from `LARGE` on needs no share of the waiting. */
const LARGE: Bytes = 500_000;
const TIMES_USUAL = 2;

/**
 * docs/specification.md, Oversized: by how much a size must exceed the usual size (`LEAST_ABOVE`), and the fewest
 * responses of the endpoint (`LEAST_RESPONSES`).
 */
const LEAST_ABOVE: Bytes = 10 * 1024;
const LEAST_RESPONSES = 5;
/** Sizes that differ by at most half are alike (a natural logarithm). */
const ALIKE = Math.log(1.5);

/** Responses whose transfer takes most of their latency, because their bodies are large. */
export function largeResponses({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["uncompressed-responses"]);
  const whole = traffic.requests.filter(couldBeSmaller);
  const transfers = longTransfersOf(traffic);
  const often: Draft[] = [];
  const rare: Request[] = [];
  const usual = new Map<string, Bytes>();
  for (const [key, own] of groupedBy(whole, ({ endpointKey }) => endpointKey)) {
    const cause = transfers.get(key)?.cause;
    if (cause === "late" || cause === "line" || !own.some(isTransferBound)) continue;
    const large = largeIn(own, cause === "large" ? transfers.get(key)?.requests : []).filter(
      ({ id }) => !claimed.has(id),
    );
    if (isQuickElsewhere(large, own)) continue;
    usual.set(key, medianOf(own.map(sizeOf)));
    if (own.length < FEW_BELOW) rare.push(...large);
    else if (large.length > 0) often.push(draftFor(large, usual, own.length));
  }
  return [...often, ...joinedByTime(rare, transferSpanOf).map((large) => draftFor(large, usual, null))];
}

/** The responses of an endpoint that are large. `long`: those that are large because their transfer takes long. */
function largeIn(own: readonly Request[], long: readonly Request[] = []): readonly Request[] {
  const usual = medianOf(own.map(sizeOf));
  const limit =
    own.length >= LEAST_RESPONSES ? Math.max(TIMES_USUAL * usual, usual + LEAST_ABOVE) : Number.POSITIVE_INFINITY;
  const isLong = new Set(long);
  return own.filter((one) => isTransferBound(one) && (isLong.has(one) || sizeOf(one) >= LARGE || sizeOf(one) > limit));
}

/**
 * Whether other bodies of about the same size come in half the time: then something else than the size takes the time.
 */
function isQuickElsewhere(large: readonly Request[], own: readonly Request[]): boolean {
  if (large.length === 0) return false;
  const [size, transfer] = [medianOf(large.map(sizeOf)), medianOf(large.map((one) => one.transfer))];
  const slow = new Set(large);
  const alike = own.filter((one) => !slow.has(one) && Math.abs(Math.log(sizeOf(one) / size)) <= ALIKE);
  return alike.length >= LEAST_RESPONSES && medianOf(alike.map((one) => one.transfer)) * TIMES_USUAL <= transfer;
}

/** `responses`: how many responses the endpoint returned; `null` for several endpoints that were requested rarely. */
function draftFor(large: readonly Request[], usual: ReadonlyMap<string, Bytes>, responses: number | null): Draft {
  const [first] = longestFirst(large);
  if (first === undefined) throw new Error("no large response");
  const usualOf = ({ endpointKey }: Request) => usual.get(endpointKey) ?? 0;
  const time = waitingOf(large.map(transferSpanOf));
  const median = medianOf(large.map(sizeOf));
  const others = new Set(large.map(({ endpointKey }) => endpointKey)).size - 1;
  const size = large.length === 1 ? inBytes(median) : `median ${inBytes(median)}`;
  return draftOf({
    kind: "large-responses",
    scope: atEndpoint(first),
    time,
    bytes: sumOf(large, (one) => Math.max(0, sizeOf(one) - Math.min(usualOf(one), LARGE))),
    confidence: "certain",
    telling: longestFirst(large),
    summary: `${nameWithOthers(first.facts.endpoint, others)} returned ${counted(large.length, "large response")} (${size}); the transfer took ${inMs(time)}.`,
    advice:
      "Let the server send less: paginate, select fields, shrink images or compress better. This does not apply if the client needs the whole response.",
    evidence: figures({
      "large responses": responses === null ? large.length : `${large.length} of ${responses}`,
      "median size of the large responses": inBytes(median),
      "the endpoint's median size": others === 0 ? inBytes(usualOf(first)) : null,
      largest: inBytes(largestOf(large.map(sizeOf))),
    }),
    basis: "Up to: the transfer time of responses whose transfer took at least half of their latency.",
  });
}

function couldBeSmaller(request: Request): boolean {
  return request.latency !== null && isAwaited(request) && !isLargeByNature(request);
}
