import type { Steps } from "../../../model/steps.ts";
import type { Milliseconds } from "../../../model/units.ts";
import { atEndpoint, type Context, claimedBy, draftOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { isHealthCheck, isPart, isPreflight, isReading } from "../request.ts";
import { Pace } from "../sliced.ts";
import { counted, inBytes, inMs, nameOf } from "../text.ts";
import { groupedBy, isAwaited, type Request } from "../traffic.ts";
import { savedBy } from "../waiting.ts";

/** docs/specification.md, duplicate-requests. */
const AGAIN_WITHIN: Milliseconds = 10_000;

/**
 * Default; not from a specification: the longest gap between duplicates of a request that changes something, as after a
 * second press of a button.
 */
const CHANGE_AGAIN_WITHIN: Milliseconds = 2_000;

/** A request, and the equal request before it. */
export interface Repeat {
  readonly before: Request;
  readonly again: Request;
}

/** The same request sent again soon, with the same response. */
export function* duplicateRequests({ traffic, found }: Context): Steps<readonly Draft[]> {
  const claimed = claimedBy(found, ["polling", "retries", "rate-limited", "cors-preflights", "redirects"]);
  const repeats: Repeat[] = [];
  const later = new Map<string, number>();
  const pace = new Pace();
  for (const own of traffic.series) {
    if (pace.isDue(own.length)) yield;
    for (const [index, again] of own.entries()) {
      const before = own[index - 1];
      if (!isCandidate(again)) continue;
      if (before === undefined || claimed.has(again.id) || !isEqualAnswer(before, again) || again.head.isConditional)
        continue;
      if (isHealthCheck(again)) continue;
      if (isSoon(before, again)) repeats.push({ before, again });
      else later.set(again.endpointKey, (later.get(again.endpointKey) ?? 0) + 1);
    }
  }
  yield;
  const drafts: Draft[] = [];
  for (const own of groupedBy(repeats, ({ again }) => again.endpointKey).values()) {
    const [first] = own;
    // If most repeats of the endpoint came later than `isSoon` allows, `unchanged-refetches` reports the endpoint.
    if (first === undefined || (later.get(first.again.endpointKey) ?? 0) > own.length) continue;
    const again = own.map((repeat) => repeat.again);
    const isAgain = new Set(again);
    const before = own.map((repeat) => repeat.before).filter((one) => !isAgain.has(one));
    const time = savedBy([...before, ...again], before);
    const bytes = again.reduce((sum, { facts }) => sum + facts.exchange.encodedBodySize, 0);
    drafts.push(
      draftOf({
        kind: "duplicate-requests",
        place: atEndpoint(first.again),
        count: again.length,
        time,
        bytes,
        confidence: "certain",
        telling: longestFirst(again),
        summary: `${nameOf(first.again.facts.endpoint)} was sent again ${again.length === 1 ? "once" : counted(again.length, "time")} within 10 s of an equal request and got the same response.`,
        advice:
          "Share one request between the places that need its response. This does not apply if each place needs a fresh response.",
        evidence: [
          { name: "duplicates", value: String(again.length) },
          { name: "received again", value: inBytes(bytes) },
          { name: "waiting", value: inMs(time) },
        ],
        basis:
          "Duplicates have the same client, method, URL, Range, Accept, Authorization, body and response. The time is what the duplicates add to the client's waiting.",
      }),
    );
  }
  return drafts;
}

function isCandidate(request: Request): boolean {
  return isAwaited(request) && !request.isError && !isPart(request) && !isPreflight(request);
}

function isSoon(before: Request, again: Request): boolean {
  return again.start - before.start <= (isReading(again) ? AGAIN_WITHIN : CHANGE_AGAIN_WITHIN);
}

/** Whether both responses have the same status and the same known, non-empty body. A 304 has no body to compare. */
export function isEqualAnswer(before: Request, again: Request): boolean {
  const hash = again.facts.responseBody.hash;
  return (
    hash !== null &&
    hash !== "" &&
    hash === before.facts.responseBody.hash &&
    again.status !== 304 &&
    again.status === before.status
  );
}
