import { isBrowser } from "../../../model/client-name.ts";
import { type Group, groupedBy } from "../../grouped.ts";
import { type CacheVerdict, cacheVerdictOf } from "../cache-verdict.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { sizeOf } from "../measured-line.ts";
import { byFrequency, sumOf } from "../numbers.ts";
import { isPart, mustAskAgain } from "../request.ts";
import { counted, inBytes, nameOf } from "../text.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";
import { type Repeat, repeatsIn } from "./duplicate-requests.ts";

/** An unchanged resource fetched repeatedly in full, without revalidation. */
export function unchangedRefetches({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["polling", "n-plus-one", "repeated-prerequisite"]);
  const named = new Set(
    found.flatMap(({ kind, endpoint }) =>
      kind === "duplicate-requests" || kind === "polling" ? [JSON.stringify(endpoint)] : [],
    ),
  );
  const repeats = repeatsIn(traffic).filter(
    ({ before, again }) =>
      isCandidate(again) && !claimed.has(again.id) && !isByReload(before, again) && !mustAskAgain(again),
  );
  return [...groupedBy(repeats, ({ again }) => again.endpointKey).values()]
    .filter(([{ again }]) => !named.has(JSON.stringify(again.facts.endpoint)))
    .map(draftFor);
}

function draftFor(own: Group<Repeat>): Draft {
  const [first] = own;
  const again = own.map((repeat) => repeat.again);
  const bytes = sumOf(again, sizeOf);
  const verdicts = byFrequency(own.map(({ before, again: next }) => cacheVerdictOf(before, next)));
  const verdict = verdicts[0]?.[0] ?? "headers";
  const isKept = again.every(({ client }) => isBrowser(client));
  return draftOf({
    kind: "unchanged-refetches",
    scope: atEndpoint(first.again),
    time: waitingOf(again),
    bytes,
    confidence: isKept ? "certain" : "likely",
    telling: longestFirst(again),
    summary: `${nameOf(first.again.facts.endpoint)} was fetched in full again ${again.length === 1 ? "once" : counted(again.length, "time")} although the response had not changed. ${VERDICTS[verdict].why}.${isKept ? "" : " A client that is no browser may keep no responses."}`,
    advice: VERDICTS[verdict].advice,
    evidence: figures({
      "unchanged responses": again.length,
      "received again": inBytes(bytes),
      reason: VERDICTS[verdict].why,
    }),
    basis: `Up to: the time of requests that were sent without a validator and got the same body as before${isKept ? "" : ", if the client kept responses"}. A cache that must revalidate saves less, because it still waits for a 304.`,
  });
}

/**
 * Whether the request came again only because a person loaded the same page again: the page itself, and what it reads
 * for each load. A file that caches may keep is due to its headers, unless the reload bypassed the caches.
 */
function isByReload(before: Request, again: Request): boolean {
  if (again.load === null || before.load === again.load || before.load?.page !== again.load.page) return false;
  return isForced(again) || !again.isStaticFile;
}

/** Whether the client forced its caches to ask again, as with a reload that bypasses them (RFC 9111, 5.2.1). */
function isForced({ facts }: Request): boolean {
  return facts.requestFields.some(
    ({ name, value }) => (name === "cache-control" || name === "pragma") && FORCED.test(value),
  );
}

const FORCED = /\bno-(?:cache|store)\b|\bmax-age=0\b/i;

function isCandidate(request: Request): boolean {
  return request.facts.exchange.method === "GET" && request.status === 200 && isAwaited(request) && !isPart(request);
}

const VERDICTS: Readonly<Record<CacheVerdict, { readonly why: string; readonly advice: string }>> = {
  fresh: {
    why: "The client did not reuse the earlier response, which was still fresh",
    advice: "Let the client cache responses for as long as their headers allow; many HTTP libraries offer a cache.",
  },
  validator: {
    why: "The client sent no validator",
    advice:
      "Let the client send If-None-Match or If-Modified-Since. Let the server state how long a response stays valid.",
  },
  forbidden: {
    why: "Cache-Control: no-store forbids caching the response",
    advice:
      "Allow caches to keep the response (Cache-Control: max-age, and an ETag). This does not apply to responses that must never be stored.",
  },
  headers: {
    why: "The response's headers did not let the client reuse or revalidate the response",
    advice:
      "Let the server send Cache-Control with a long enough max-age, and an ETag, so that clients can reuse the response.",
  },
};
