import type { Milliseconds } from "../../model/units.ts";
import { medianOf } from "../../stats/percentile.ts";
import { isDocument } from "../document.ts";
import { type Group, groupedBy, groupedByCommonKeys } from "../grouped.ts";
import { serverSpanOf } from "./request.ts";
import type { Request, Traffic } from "./traffic.ts";
import { type Span, waitingOf } from "./waiting.ts";

/** docs/specification.md, Rare requests: endpoints with fewer requests than this are judged request by request. */
export const FEW_BELOW = 5;
export const SLOW_ALONE: Milliseconds = 500;
const LEAST_SHARE_ALONE = 0.1;
const SLOW_DOCUMENT: Milliseconds = 600;

/** Whether spans held enough of the waiting to be named although they are few. */
export function heldEnough(spans: readonly Span[], { gate }: Traffic): boolean {
  return spans.length > 0 && waitingOf(spans) >= LEAST_SHARE_ALONE * gate.waiting;
}

/**
 * The slow requests among those of rare endpoints. Each list has requests of one origin that share their time: those of
 * one endpoint, and those of endpoints that were requested at the same time; the slowest first.
 */
export function slowAtOnceIn(rare: readonly Request[], traffic: Traffic): readonly (readonly Request[])[] {
  const slow: Request[] = [];
  const slowDocuments = slowDocumentsIn(rare, traffic);
  for (const own of groupedBy(rare, ({ endpointKey }) => endpointKey).values()) {
    const long = own.filter(({ server, uncertainty }) => (server ?? 0) - uncertainty >= SLOW_ALONE);
    if (heldEnough(long.map(serverSpanOf), traffic)) slow.push(...long);
    else slow.push(...long.filter((request) => slowDocuments.has(request)));
  }
  return joinedByTime(slow, serverSpanOf).map((own) =>
    own.toSorted((left, right) => (right.server ?? 0) - (left.server ?? 0)),
  );
}

/** The slow documents of origins whose documents are usually slow. */
function slowDocumentsIn(rare: readonly Request[], traffic: Traffic): ReadonlySet<Request> {
  const slow = rare.filter(
    (request) => (request.server ?? 0) - request.uncertainty >= SLOW_DOCUMENT && isDocument(request.facts),
  );
  const found = new Set<Request>();
  for (const [route, own] of groupedBy(slow, (request) => request.route)) {
    const documents = (traffic.routes.get(route) ?? []).filter((one) => isDocument(one.facts));
    if (medianOf(documents.map(({ server }) => server ?? 0)) < SLOW_DOCUMENT) continue;
    for (const request of own) found.add(request);
  }
  return found;
}

/**
 * The requests grouped: those of one endpoint, and those that share their time with others of their client and origin.
 */
export function joinedByTime(
  requests: readonly Request[],
  spanOf: (request: Request) => Span,
): readonly Group<Request>[] {
  const keys = new Map<Request, readonly string[]>();
  const busy = new Map<string, { stretch: number; until: number }>();
  const spans = requests.map((request) => ({ request, ...spanOf(request) }));
  for (const { request, start, end } of spans.sort((left, right) => left.start - right.start)) {
    const last = busy.get(request.route) ?? { stretch: 0, until: Number.NEGATIVE_INFINITY };
    const stretch = start < last.until ? last.stretch : last.stretch + 1;
    busy.set(request.route, { stretch, until: Math.max(last.until, end) });
    keys.set(request, [request.endpointKey, `${request.route}\n${stretch}`]);
  }
  return groupedByCommonKeys(requests, (request) => keys.get(request) ?? []);
}
