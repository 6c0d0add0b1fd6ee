import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { binomialAtLeast } from "../../../stats/distributions.ts";
import { medianOf } from "../../../stats/percentile.ts";
import type { Group } from "../../grouped.ts";
import { atEndpoint, type Context, claimedBy, draftOf, draftsByEndpoint, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { byFrequency } from "../numbers.ts";
import { requestField } from "../request.ts";
import { successesAfterRefusal } from "../success-after-refusal.ts";
import { inMs, inPercent, nameOf } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";
import { lengthOf, waitingOf } from "../waiting.ts";
import { CLIENT_SIDE, failureOf } from "./retries.ts";

/** docs/specification.md, errors. */
const LEAST_RATE = 0.05;
const LEAST_ERRORS = 3;

/**
 * The error rate that any service may have (`USUAL_RATE`), and the p at which a higher rate is significant
 * (`SIGNIFICANT`).
 */
const USUAL_RATE = 0.02;
const SIGNIFICANT = 0.003;

/** The longest time between a challenge and the same request with other credentials. */
const CREDENTIALS_WITHIN: Milliseconds = 60_000;

/** An endpoint that fails. */
export function errors({ traffic, found }: Context): readonly Draft[] {
  const claimed = claimedBy(found, ["retries", "rate-limited"]);
  const failed = traffic.requests.filter(
    (request) => request.isError && !isHarmless(request) && !traffic.modelRetries.has(request.id),
  );
  const answered = answeredChallenges(traffic, failed);
  const unanswered = failed.filter((request) => !answered.has(request));
  return draftsByEndpoint(unanswered, (all) => draftFor(all, claimed, traffic));
}

function draftFor(all: Group<Request>, claimed: ReadonlySet<ExchangeId>, traffic: Traffic): Draft | null {
  const [{ endpointKey, facts }] = all;
  const own = all.filter(({ id }) => !claimed.has(id));
  const total = traffic.endpoints.get(endpointKey)?.length ?? all.length;
  if (own.length < LEAST_ERRORS || own.length < LEAST_RATE * total) return null;
  if (binomialAtLeast(own.length, total, USUAL_RATE) > SIGNIFICANT) return null;
  const kinds = countsOf(all.map(failureOf));
  const elsewhere = all.length - own.length;
  const others =
    elsewhere === 0
      ? ""
      : ` ${elsewhere} of these failures ${elsewhere === 1 ? "is" : "are"} counted under retries or rate limits.`;
  return draftOf({
    kind: "errors",
    scope: atEndpoint(all[0]),
    time: waitingOf(own.filter(({ isLasting }) => !isLasting)),
    confidence: "certain",
    telling: longestFirst(own),
    summary: `${nameOf(facts.endpoint)} failed ${all.length} times in ${total} requests (${inPercent(all.length / total)}): ${kinds}.${others}`,
    advice:
      "Look at the responses to the failed requests, or at the causes of failure. Clients waited for these requests in vain.",
    evidence: figures({
      "failed requests": `${all.length} of ${total}`,
      "failed requests in no other finding": elsewhere === 0 ? null : own.length,
      failures: kinds,
      "median time of a failed request": inMs(medianOf(own.map(lengthOf))),
    }),
    basis:
      "Status 400 or above, no usable response, or an error reported in the body. The time counts failed requests that are in no other finding.",
  });
}

/**
 * Whether the failure is harmless: the server did not cause it, or an unimportant file is missing. Such a file is
 * static, or browsers request it on their own.
 */
function isHarmless(request: Request): boolean {
  const { outcome } = request.facts.exchange;
  if (outcome?.kind === "failed" && CLIENT_SIDE.has(outcome.errorType)) return true;
  return (request.status === 404 || request.status === 410) && (request.isStaticFile || isOptionalFile(request.path));
}

function isOptionalFile(path: string): boolean {
  return path.startsWith("/.well-known/") || OPTIONAL_FILE.test(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Matches names (without the folder) of icons, images, source maps and other files that browsers request on their own.
 */
const OPTIONAL_FILE =
  /^(?:favicon|apple-touch-icon)|^(?:robots\.txt|browserconfig\.xml|manifest\.json)$|\.(?:png|jpe?g|gif|webp|ico|svg|map)$/i;

/**
 * Failed requests with 401 or 407 after which the same client sent the same request with other credentials (RFC 9110,
 * 11.6).
 */
function answeredChallenges({ routes }: Traffic, failed: readonly Request[]): ReadonlySet<Request> {
  const challenged = new Set(failed.filter(isChallenged).map(({ route }) => route));
  const requests = [...challenged].flatMap((route) => routes.get(route) ?? []);
  const answers = successesAfterRefusal(requests, isChallenged, ({ route, facts: { exchange } }) => {
    return `${route}\n${exchange.method} ${exchange.target}`;
  });
  const answered = [...answers].filter(
    ([one, again]) => credentialsOf(one) !== credentialsOf(again) && again.start - one.end <= CREDENTIALS_WITHIN,
  );
  return new Set(answered.map(([one]) => one));
}

function isChallenged({ status }: Request): boolean {
  return status === 401 || status === 407;
}

function credentialsOf(request: Request): string {
  return ["authorization", "proxy-authorization", "cookie"].map((name) => requestField(request, name) ?? "").join("\n");
}

/** The three most frequent names with their counts, such as "502 × 12, 404 × 3". */
function countsOf(names: readonly string[]): string {
  return byFrequency(names)
    .slice(0, 3)
    .map(([name, count]) => `${name} × ${count}`)
    .join(", ");
}
