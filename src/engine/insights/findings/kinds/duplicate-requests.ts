import type { Milliseconds } from "../../../model/units.ts";
import { groupedBy, groupedByCommonKeys } from "../../grouped.ts";
import { atEndpoint, type Context, claimedBy, costliestIn, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { sizeOf } from "../measured-line.ts";
import { pairsIn, sumOf } from "../numbers.ts";
import {
  isConditional,
  isHealthCheck,
  isPart,
  isPreflight,
  isReading,
  mustAskAgain,
  requestField,
} from "../request.ts";
import { removed, savedWaiting } from "../saved-waiting.ts";
import { repeatedPrompts } from "../shared-prompts.ts";
import { counted, inBytes, inMs, nameOf, nameWithOthers } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";
import { slowMedianOf } from "./slow-server.ts";

/** docs/specification.md, duplicate-requests. */
const AGAIN_WITHIN: Milliseconds = 10_000;

/** The longest gap between duplicates of a request that changes something, as after a second press of a button. */
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
  const repeats = repeatsIn(traffic).filter(
    ({ before, again }) => isCandidate(again) && !claimed.has(again.id) && before.load === again.load,
  );
  const all = groupedBy(repeats, ({ again }) => again.endpointKey);
  const told = [...groupedBy(repeats.filter(isSoon), ({ again }) => again.endpointKey)].flatMap(([key, soon]) =>
    // If most repeats of the endpoint came later than `isSoon` allows, `unchanged-refetches` reports the endpoint.
    (all.get(key)?.length ?? 0) > 2 * soon.length ? [] : soon,
  );
  const minutes = minutesOf(told);
  const groups = groupedByCommonKeys(told, ({ again }) => [again.endpointKey, minutes.get(again) ?? ""]);
  return [
    ...repeatedPrompts(context, new Set(told.map(({ again }) => again.id))),
    ...groups.map((own) => draftFor(own, traffic)),
  ];
}

/** Requests with an equal one before that got the same answer; not those that revalidate, and no health checks. */
export function repeatsIn({ series }: Traffic): readonly Repeat[] {
  return series
    .flatMap(pairsIn)
    .filter(([before, again]) => isEqualAnswer(before, again) && !isConditional(again) && !isHealthCheck(again))
    .map(([before, again]) => ({ before, again }));
}

function draftFor(own: readonly Repeat[], traffic: Traffic): Draft {
  const again = own.map((repeat) => repeat.again);
  const { costliest, others } = costliestIn(again);
  const [dearest] = costliest;
  const slow = slowMedianOf(costliest);
  const time = savedWaiting(traffic, removed(again));
  const bytes = sumOf(again, sizeOf);
  const byWorker = own.filter(isByWorker).length;
  return draftOf({
    kind: "duplicate-requests",
    scope: atEndpoint(dearest),
    time,
    bytes,
    confidence: "certain",
    telling: longestFirst(again),
    summary: `${summaryOf(dearest, others, again.length)}${slow === null ? "" : slowText(dearest, slow.server)}${byWorker === 0 ? "" : WORKER_TEXT}`,
    advice:
      byWorker === again.length
        ? WORKER_ADVICE
        : `Share one request between the places that need its response${slow === null ? ". This does not apply if each place needs a fresh response." : ", unless each needs a fresh response. The request that remains is slow as well: look at what the server does for it."}`,
    evidence: figures({
      duplicates: again.length,
      endpoints: others === 0 ? null : others + 1,
      "median server time": slow === null ? null : inMs(slow.server),
      "fetched by a service worker": byWorker === 0 ? null : `${byWorker} of ${again.length}`,
      "received again": inBytes(bytes),
      waiting: inMs(time),
    }),
    basis:
      "Duplicates have the same client, page load, user, method, URL, Range, Accept, body and response. The time is what the duplicates add to the client's waiting.",
  });
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

function summaryOf({ facts: { endpoint } }: Request, others: number, duplicates: number): string {
  const times = duplicates === 1 ? "once" : counted(duplicates, "time");
  const same = "within 10 s of an equal request and got the same response";
  if (others === 0) return `${nameOf(endpoint)} was sent again ${times} ${same}.`;
  return `${nameWithOthers(endpoint, others)} were sent again ${times} in all, ${same}.`;
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

function isSoon({ before, again }: Repeat): boolean {
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
