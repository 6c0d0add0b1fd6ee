import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { spearman } from "../../../stats/ranks.ts";
import { valleyOf } from "../../../stats/valley.ts";
import { addTo, groupedBy } from "../../grouped.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { isSureBeside, leftOutClause, serverSpanOf } from "../request.ts";
import { serverTimingOf } from "../server-timing.ts";
import { FEW_BELOW, slowAtOnceIn } from "../slow-few.ts";
import { LEAST_SLOW } from "../slow-when/durations.ts";
import { counted, inBytes, inMs, inPercent, nameOf, nameWithOthers, quoted } from "../text.ts";
import { isAwaited, type Request, type Traffic } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** docs/specification.md, slow-server. */
const SLOW: Milliseconds = 200;
const LEAST_SHARE_OF_LATENCY = 0.5;
const LEAST_SHARE_OF_WAITING = 0.1;

/**
 * From this separation on (`valleyOf`), server times are two groups. At most one sample of one group in 600 reaches it.
 */
const CLEAR_SEPARATION = 0.95;

/** From this correlation with the size of the body on, the size explains the server's time. */
const GROWS_WITH_SIZE = 0.8;
const SURE_OF_SIZE = 0.001;
const LEAST_FOR_SIZE = 10;

/** Kinds of findings that already explain the exchanges that they cover. */
const NARROWER = [
  "rate-limited",
  "retries",
  "errors",
  "cors-preflights",
  "redirects",
  "n-plus-one",
  "polling",
  "repeated-prerequisite",
  "server-pauses",
] as const;

/** Kinds that explain exchanges as well, but not why an operation is slow. */
const REPEATS = ["duplicate-requests", "unchanged-refetches"] as const;

/** Kinds that explain all requests of their endpoint. */
const WHOLE_ENDPOINT: ReadonlySet<string> = new Set(["slow-when", "one-at-a-time", "slow-transfer"]);

/** Endpoints whose server time dominates, and for which no narrower cause was found. */
export function slowServer({ traffic, found }: Context): readonly Draft[] {
  const explained = explainedBy(found, traffic);
  const claimed = claimedBy(found, NARROWER);
  const repeated = claimedBy(found, REPEATS);
  const timed = traffic.requests.filter((request) => {
    if (!isAwaited(request) || request.server === null || request.latency === null) return false;
    if (claimed.has(request.id) || explained.has(request.endpointKey)) return false;
    return request.facts.endpoint.operation !== null || !repeated.has(request.id);
  });
  const drafts: Draft[] = [];
  const rare: Request[] = [];
  for (const [key, own] of groupedBy(timed, ({ endpointKey }) => endpointKey)) {
    if ((traffic.endpoints.get(key)?.length ?? 0) < FEW_BELOW) rare.push(...own);
    else if (own.length >= FEW_BELOW) drafts.push(...usuallySlow(own, traffic));
  }
  for (const own of slowAtOnceIn(rare, traffic)) drafts.push(draftOfFew(own, traffic));
  return drafts;
}

/** The endpoints that earlier findings explain as a whole. */
function explainedBy(found: readonly Draft[], { byId }: Traffic): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { kind, covers } of found) {
    if (!WHOLE_ENDPOINT.has(kind)) continue;
    for (const id of covers) keys.add(byId.get(id)?.endpointKey ?? "");
  }
  return keys;
}

function usuallySlow(all: readonly Request[], { totals, gate }: Traffic): readonly Draft[] {
  const isSure = (request: Request) => isSureBeside(SLOW, request.server ?? 0, request);
  const own = all.filter(isSure);
  const [first] = own;
  if (first === undefined || own.length < FEW_BELOW) return [];
  const slow = slowMedianOf(own);
  if (slow === null) return [];
  const time = waitingOf(own.map(serverSpanOf));
  if (time < LEAST_SHARE_OF_WAITING * gate.waiting) return [];
  const groups = groupsOf(own.map(({ server }) => server ?? 0));
  const [took, figure] =
    groups === null
      ? [`a median of ${inMs(slow.server)}`, inMs(slow.server)]
      : [
          groups.map((group) => `about ${inMs(medianOf(group))}`).join(" or "),
          groups.map((group) => `${inMs(medianOf(group))} (${counted(group.length, "request")})`).join(" or "),
        ];
  const bySize = timesBySize(own);
  const leftOut = leftOutClause(all.filter((request) => !isSure(request)));
  return [
    draftOf({
      kind: "slow-server",
      scope: atEndpoint(first),
      time,
      confidence: "certain",
      telling: longestFirst(own),
      summary: `The server took ${took} to begin its response to ${nameOf(first.facts.endpoint)}, in ${counted(own.length, "request")}${leftOut}.`,
      advice: bySize === null ? adviceFor(own) : BY_SIZE,
      evidence: figures({
        "median server time": figure,
        ...bySize,
        "share of the latency": inPercent(slow.share),
        "share of all waiting time": inPercent(time / totals.waiting),
        ...timingOf(own),
      }),
      basis: `Up to: all time between the request's last byte and the response's first. ${bySize === null ? "Weir found nothing that distinguishes the slow requests." : "There are too few requests to tell how much of it the size costs."}`,
    }),
  ];
}

const BY_SIZE =
  "The time grows with the size of the request's body. Send less, or look at what the server does for each part of the body. A balancer or a gateway that takes bodies at once and passes them on through a slow line looks the same.";

/** The server times of smaller and of larger bodies; `null` if the time does not clearly grow with the body. */
function timesBySize(own: readonly Request[]): Readonly<Record<string, string>> | null {
  const sizeOf = ({ facts }: Request) => facts.exchange.requestBodySize;
  const { rho, p } = spearman(
    own.map(sizeOf),
    own.map(({ server }) => server ?? 0),
  );
  if (own.length < LEAST_FOR_SIZE || rho < GROWS_WITH_SIZE || p > SURE_OF_SIZE) return null;
  const bySize = own.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  const half = Math.floor(bySize.length / 2);
  const textOf = (part: readonly Request[]) =>
    `${inMs(medianOf(part.map(({ server }) => server ?? 0)))} (bodies of ${inBytes(medianOf(part.map(sizeOf)))})`;
  return {
    "median of the smaller half of the bodies": textOf(bySize.slice(0, half)),
    "median of the larger half": textOf(bySize.slice(-half)),
  };
}

/**
 * Two clear groups of times, the shorter first; `null` if there may be one. No request takes the median between two.
 */
function groupsOf(times: readonly Milliseconds[]): readonly (readonly Milliseconds[])[] | null {
  const valley = valleyOf(Float64Array.from(times).sort(), LEAST_SLOW);
  if (valley === null || valley.separation < CLEAR_SEPARATION) return null;
  const { cut } = valley;
  return [times.filter((time) => time <= cut), times.filter((time) => time > cut)];
}

/** The median server time and its share of the latency; `null` if the server is quick or its time does not dominate. */
export function slowMedianOf(
  requests: readonly Request[],
): { readonly server: Milliseconds; readonly share: number } | null {
  const server = medianOf(requests.map((request) => request.server ?? 0));
  const share = server / medianOf(requests.map((request) => request.latency ?? 0));
  return server >= SLOW && share >= LEAST_SHARE_OF_LATENCY ? { server, share } : null;
}

/** The finding about slow requests to endpoints of one origin that were requested rarely, the slowest first. */
function draftOfFew(own: readonly Request[], { totals }: Traffic): Draft {
  const [first] = own;
  if (first === undefined) throw new Error("no slow request");
  const time = waitingOf(own.map(serverSpanOf));
  const others = new Set(own.map(({ endpointKey }) => endpointKey)).size - 1;
  const [longest, shortest] = [first.server ?? 0, own.at(-1)?.server ?? 0];
  const length = inMs(longest) === inMs(shortest) ? inMs(longest) : `${inMs(shortest)} to ${inMs(longest)}`;
  const names = `${nameWithOthers(first.facts.endpoint, others)}${others === 0 ? "" : " requested at the same time"}`;
  return draftOf({
    kind: "slow-server",
    scope: atEndpoint(first),
    time,
    confidence: "certain",
    telling: own,
    summary: `The server took ${length} to begin its ${own.length === 1 ? "response" : "responses"} to ${names}, in ${counted(own.length, "request")}.`,
    advice: adviceFor(own),
    evidence: figures({
      requests: own.length,
      "longest server time": inMs(longest),
      "share of all waiting time": inPercent(time / totals.waiting),
      ...timingOf(own),
    }),
    basis:
      "Up to: all time between the request's last byte and the response's first. There are too few requests to compare slow ones with quick ones.",
  });
}

function adviceFor(requests: readonly Request[]): string {
  const entry = largestEntry(requests);
  return entry === null
    ? "Look at what the server does for this endpoint. If the server sends Server-Timing headers, Weir names the slowest step here."
    : `Look at "${quoted(entry.name)}" first, the largest entry of Server-Timing.`;
}

function timingOf(requests: readonly Request[]): Readonly<Record<string, string>> {
  const entry = largestEntry(requests);
  if (entry === null) return {};
  const length = requests.length === 1 ? inMs(entry.length) : `median ${inMs(entry.length)}`;
  return { "largest entry of Server-Timing": `${quoted(entry.name)}, ${length}` };
}

/**
 * The Server-Timing entry with the largest median; `null` if there is none. `total` counts only if there is no other
 * entry.
 */
function largestEntry(requests: readonly Request[]): { readonly name: string; readonly length: Milliseconds } | null {
  const lengths = new Map<string, number[]>();
  for (const request of requests)
    for (const { name, duration } of serverTimingOf(request)) if (duration !== null) addTo(lengths, name, duration);
  const medians = [...lengths].map(([name, own]) => ({ name, length: medianOf(own) }));
  const partial = medians.filter(({ name }) => name !== "total");
  return (partial.length > 0 ? partial : medians).sort((left, right) => right.length - left.length)[0] ?? null;
}
