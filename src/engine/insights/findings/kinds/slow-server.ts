import type { Steps } from "../../../model/steps.ts";
import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { atEndpoint, type Context, claimedBy, draftOf, longestFirst } from "../draft.ts";
import type { Draft } from "../finding.ts";
import { serverTimingOf } from "../server-timing.ts";
import { chosenFrom, groupedFrom } from "../sliced.ts";
import { counted, inMs, inPercent, nameOf, quoted } from "../text.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** docs/specification.md, slow-server. */
const SLOW: Milliseconds = 200;
const LEAST_SHARE_OF_LATENCY = 0.7;
const LEAST_SHARE_OF_WAITING = 0.1;

/** The fewest requests of an endpoint (docs/specification.md, Row). */
const LEAST_REQUESTS = 5;

/** Kinds of findings that already explain the exchanges that they cover. */
const NARROWER = [
  "rate-limited",
  "retries",
  "errors",
  "cors-preflights",
  "redirects",
  "n-plus-one",
  "polling",
  "duplicate-requests",
  "unchanged-refetches",
] as const;

/** Endpoints whose server time dominates, and for which no narrower cause was found. */
export function* slowServer({ traffic, found }: Context): Steps<readonly Draft[]> {
  const explained = new Set(
    found.flatMap(({ kind, endpoint }) =>
      kind === "slow-when" && endpoint !== null ? [JSON.stringify(endpoint)] : [],
    ),
  );
  const claimed = claimedBy(found, NARROWER);
  const timed = yield* chosenFrom(
    traffic.requests,
    (request) => isAwaited(request) && !claimed.has(request.id) && request.server !== null && request.latency !== null,
  );
  yield;
  const drafts: Draft[] = [];
  for (const own of (yield* groupedFrom(timed, ({ endpointKey }) => endpointKey)).values()) {
    yield;
    const [first] = own;
    if (first === undefined || own.length < LEAST_REQUESTS || explained.has(JSON.stringify(first.facts.endpoint)))
      continue;
    const server = medianOf(own.map((request) => request.server ?? 0));
    const latency = medianOf(own.map((request) => request.latency ?? 0));
    if (server < SLOW || server < LEAST_SHARE_OF_LATENCY * latency) continue;
    const time = waitingOf(own.map(serverSpanOf));
    if (time < LEAST_SHARE_OF_WAITING * traffic.totals.waiting) continue;
    const entry = largestEntry(own);
    drafts.push(
      draftOf({
        kind: "slow-server",
        place: atEndpoint(first),
        count: own.length,
        time,
        bytes: null,
        confidence: "certain",
        telling: longestFirst(own),
        summary: `The server took a median of ${inMs(server)} to begin its response to ${nameOf(first.facts.endpoint)}, in ${counted(own.length, "request")}.`,
        advice:
          entry === null
            ? "Look at what the server does for this endpoint. If the server sends Server-Timing headers, Weir names the slowest step here."
            : `Look at "${quoted(entry.name)}" first, the largest entry of Server-Timing.`,
        evidence: [
          { name: "median server time", value: inMs(server) },
          { name: "share of the latency", value: inPercent(server / latency) },
          { name: "share of all waiting time", value: inPercent(time / traffic.totals.waiting) },
          ...(entry === null
            ? []
            : [
                {
                  name: "largest entry of Server-Timing",
                  value: `${quoted(entry.name)}, median ${inMs(entry.length)}`,
                },
              ]),
        ],
        basis:
          "Up to: all time between the request's last byte and the response's first. Weir found nothing that distinguishes the slow requests.",
      }),
    );
  }
  return drafts;
}

function serverSpanOf({ client, facts, server, start }: Request): { client: string; start: number; end: number } {
  const end = facts.exchange.instants.responseStart ?? start;
  return { client, start: end - (server ?? 0), end };
}

/**
 * The Server-Timing entry with the largest median; `null` if there is none. `total` counts only if there is no other
 * entry.
 */
function largestEntry(requests: readonly Request[]): { readonly name: string; readonly length: Milliseconds } | null {
  const lengths = new Map<string, number[]>();
  for (const request of requests)
    for (const { name, duration } of serverTimingOf(request)) {
      if (duration === null) continue;
      const own = lengths.get(name);
      if (own === undefined) lengths.set(name, [duration]);
      else own.push(duration);
    }
  const medians = [...lengths].map(([name, own]) => ({ name, length: medianOf(own) }));
  const partial = medians.filter(({ name }) => name !== "total");
  return (partial.length > 0 ? partial : medians).sort((left, right) => right.length - left.length)[0] ?? null;
}
