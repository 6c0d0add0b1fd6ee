import type { Milliseconds } from "../../../model/units.ts";
import { groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { joinedBy } from "../joined.ts";
import { isHealthCheck, isPart, isPreflight, isReading, mustAskAgain, requestField } from "../request.ts";
import { removed, savedWaiting } from "../saved-waiting.ts";
import { repeatedPrompts } from "../shared-prompts.ts";
import { counted, inBytes, inMs, nameOf } from "../text.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";
import { slowMedianOf } from "./slow-server.ts";

/** docs/specification.md, duplicate-requests. */
const AGAIN_WITHIN: Milliseconds = 10_000;

/**
 * The longest gap between duplicates of a request that changes something, as after a
 * second press of a button.
 */
const CHANGE_AGAIN_WITHIN: Milliseconds = 2_000;

/** The longest gap between duplicates of a request whose response no client may keep: parts of one view ask at once. */
const AT_ONCE: Milliseconds = 1_000;

/** Duplicates of one client with longer pauses between them belong to different findings. */
const ONE_FINDING_WITHIN: Milliseconds = 60_000;

/** A request, and the equal request before it. */
export interface Repeat {
  readonly before: Request;
  readonly again: Request;
}

/** The same request sent again soon, with the same response. */
export function duplicateRequests(context: Context): readonly Draft[] {
  const { traffic, found } = context;
  const claimed = claimedBy(found, [
    "n-plus-one",
    "polling",
    "repeated-prerequisite",
    "retries",
    "rate-limited",
    "cors-preflights",
    "redirects",
  ]);
  const repeats: Repeat[] = [];
  const later = new Map<string, number>();
  for (const own of traffic.series) {
    for (const [index, again] of own.entries()) {
      const before = own[index - 1];
      if (!isCandidate(again)) continue;
      if (before === undefined || claimed.has(again.id) || !isEqualAnswer(before, again) || again.head.isConditional)
        continue;
      if (isHealthCheck(again) || before.load !== again.load) continue;
      if (isSoon(before, again)) repeats.push({ before, again });
      else later.set(again.endpointKey, (later.get(again.endpointKey) ?? 0) + 1);
    }
  }
  const told = [...groupedBy(repeats, ({ again }) => again.endpointKey)].flatMap(([key, own]) =>
    // If most repeats of the endpoint came later than `isSoon` allows, `unchanged-refetches` reports the endpoint.
    (later.get(key) ?? 0) > own.length ? [] : own,
  );
  const minutes = minutesOf(told);
  const drafts: Draft[] = [...repeatedPrompts(context, new Set(told.map(({ again }) => again.id)))];
  for (const own of joinedBy(told, ({ again }) => [again.endpointKey, minutes.get(again) ?? ""])) {
    const [first] = own;
    if (first === undefined) continue;
    const again = own.map((repeat) => repeat.again);
    const endpoints = [...groupedBy(again, ({ endpointKey }) => endpointKey).values()];
    const [costliest = again] = endpoints.toSorted((left, right) => waitingOf(right) - waitingOf(left));
    const [dearest = first.again] = costliest;
    const slow = slowMedianOf(costliest);
    const time = savedWaiting(traffic, removed(again));
    const bytes = again.reduce((sum, { facts }) => sum + facts.exchange.encodedBodySize, 0);
    const byWorker = own.filter(isByWorker).length;
    drafts.push(
      draftOf({
        kind: "duplicate-requests",
        scope: atEndpoint(dearest),
        time,
        bytes,
        confidence: "certain",
        telling: longestFirst(again),
        summary: `${summaryOf(dearest, endpoints.length, again.length)}${slow === null ? "" : slowText(dearest, slow.server)}${byWorker === 0 ? "" : WORKER_TEXT}`,
        advice:
          byWorker === again.length
            ? WORKER_ADVICE
            : `Share one request between the places that need its response${slow === null ? ". This does not apply if each place needs a fresh response." : ", unless each needs a fresh response. The request that remains is slow as well: look at what the server does for it."}`,
        evidence: figures({
          duplicates: again.length,
          endpoints: endpoints.length === 1 ? null : endpoints.length,
          "median server time": slow === null ? null : inMs(slow.server),
          "fetched by a service worker": byWorker === 0 ? null : `${byWorker} of ${again.length}`,
          "received again": inBytes(bytes),
          waiting: inMs(time),
        }),
        basis:
          "Duplicates have the same client, page load, user, method, URL, Range, Accept, body and response. The time is what the duplicates add to the client's waiting.",
      }),
    );
  }
  return drafts;
}

const WORKER_TEXT = " A service worker fetched files while the page loaded them.";
const WORKER_ADVICE =
  "Let the service worker fill its cache after the page has loaded, or let caches keep the files so that the second request needs no network.";

/** Whether one of the two requests came from a service worker: its Referer is the worker's script. */
function isByWorker({ before, again }: Repeat): boolean {
  return [before, again].some((one) => {
    const referer = requestField(one, "referer");
    return referer !== null && (one.load?.workers.has(referer) ?? false);
  });
}

function summaryOf({ facts: { endpoint } }: Request, endpoints: number, duplicates: number): string {
  const times = duplicates === 1 ? "once" : counted(duplicates, "time");
  const same = "within 10 s of an equal request and got the same response";
  if (endpoints === 1) return `${nameOf(endpoint)} was sent again ${times} ${same}.`;
  return `${nameOf(endpoint)} and ${counted(endpoints - 1, "other endpoint")} were sent again ${times} in all, ${same}.`;
}

/** Said because `slow-server` leaves out duplicates. */
function slowText({ facts: { endpoint } }: Request, server: Milliseconds): string {
  return ` The server took a median of ${inMs(server)} to begin each response to ${nameOf(endpoint)}.`;
}

/** For each duplicate, a text that is equal for those of one client with short pauses between them. */
function minutesOf(repeats: readonly Repeat[]): ReadonlyMap<Request, string> {
  const minutes = new Map<Request, string>();
  const latest = new Map<string, { minute: number; at: number }>();
  for (const { again } of repeats.toSorted((left, right) => left.again.start - right.again.start)) {
    const last = latest.get(again.client) ?? { minute: 0, at: again.start };
    const minute = again.start - last.at < ONE_FINDING_WITHIN ? last.minute : last.minute + 1;
    latest.set(again.client, { minute, at: again.start });
    minutes.set(again, `${again.client}\n${minute}`);
  }
  return minutes;
}

function isCandidate(request: Request): boolean {
  return isAwaited(request) && !request.isError && !isPart(request) && !isPreflight(request);
}

function isSoon(before: Request, again: Request): boolean {
  if (mustAskAgain(again)) return again.start - before.start <= AT_ONCE;
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
