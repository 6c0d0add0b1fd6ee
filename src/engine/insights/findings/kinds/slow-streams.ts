import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { gapsOf, stallOf } from "../../stalls.ts";
import { atEndpoint, type Context, draftOf, draftsByEndpoint, figures, largestOf } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { modelStreams } from "../model-streams.ts";
import { pairsIn, sumOf } from "../numbers.ts";
import { counted, inMs, nameOf } from "../text.ts";
import type { Request } from "../traffic.ts";
import { lengthOf, type Span, waitingOf } from "../waiting.ts";

/** docs/specification.md, slow-streams. */
const LATE: Milliseconds = 1_000;

/**
 * An endpoint is slow to begin if its median wait for the first event is at least this many median gaps. At other
 * endpoints, a first event is late only if it takes as long as a stall.
 */
const TIMES_USUAL_AT_FIRST = 1.5;

interface Stream {
  readonly request: Request;
  /** The wait for the first event; `null` if the first event is not late. */
  readonly late: Span | null;
  readonly stalls: readonly Span[];
}

/** Event streams whose first event comes late, or that stall; those of language models by rules of their own. */
export function slowStreams(context: Context): readonly Draft[] {
  const streams = context.traffic.requests.filter(
    ({ isLasting, facts }) =>
      isLasting &&
      (facts.events?.length ?? 0) > 0 &&
      facts.model === null &&
      !facts.exchange.tags.includes("websocket"),
  );
  return [...draftsByEndpoint(streams, draftFor), ...modelStreams(context)];
}

function draftFor(requests: readonly Request[]): Draft | null {
  const gaps = requests.flatMap(({ facts }) => gapsOf(facts.events ?? []));
  const usual = medianOf(gaps);
  const stallFrom = stallOf(gaps);
  const isUsuallyLate = medianOf(requests.map(delayOf)) >= TIMES_USUAL_AT_FIRST * usual;
  const lateFrom = Math.max(LATE, isUsuallyLate ? 0 : stallFrom);
  const streams = requests.map((request) => streamOf(request, usual, lateFrom, stallFrom));
  const slow = streams.filter(({ late, stalls }) => late !== null || stalls.length > 0);
  const [first] = slow;
  if (first === undefined) return null;
  const spans = slow.flatMap(spansOf);
  const late = slow.filter((stream) => stream.late !== null).length;
  const stalls = sumOf(slow, (stream) => stream.stalls.length);
  const began = late === 0 ? [] : [`started late ${counted(late, "time")}`];
  const stalled = stalls === 0 ? [] : [`stalled ${counted(stalls, "time")}`];
  const costOf = (stream: Stream) => waitingOf(spansOf(stream));
  return draftOf({
    kind: "slow-streams",
    scope: atEndpoint(first.request),
    time: waitingOf(spans),
    confidence: "likely",
    telling: slow.toSorted((left, right) => costOf(right) - costOf(left)).map(({ request }) => request),
    summary: `${nameOf(first.request.facts.endpoint)} ${[...began, ...stalled].join(" and ")} in ${counted(requests.length, "stream")}.`,
    advice:
      "Send the first event at once, and look for what holds events back: buffering proxies, batches, a busy producer.",
    evidence: figures({
      "late streams": `${late} of ${requests.length}`,
      stalls: stalls,
      "longest wait or stall": inMs(largestOf(spans.map(lengthOf))),
      "median gap between events": inMs(usual),
    }),
    basis:
      "The wait for each late first event (at least 1 s), and the part of each stall above the median gap. A stall is a gap of 500 ms or more that is at least 5 times the median gap. If the gaps vary widely, a stall is at least 15 times the median gap.",
  });
}

function spansOf({ late, stalls }: Stream): readonly Span[] {
  return late === null ? stalls : [late, ...stalls];
}

function streamOf(request: Request, usual: Milliseconds, lateFrom: Milliseconds, stallFrom: Milliseconds): Stream {
  const events = request.facts.events ?? [];
  const { client, start } = request;
  const first = events[0] ?? start;
  const late = first - start >= lateFrom ? { client, start, end: first } : null;
  const stalls = pairsIn(events)
    .filter(([before, event]) => event - before >= stallFrom)
    .map(([before, event]) => ({ client, start: before + usual, end: event }));
  return { request, late, stalls };
}

/** The time from the request to the first event. */
function delayOf({ facts, start }: Request): Milliseconds {
  return (facts.events?.[0] ?? start) - start;
}
