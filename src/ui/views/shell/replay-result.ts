import {
  MOST_AT_ONCE,
  type ReplayDoubt,
  type ReplayFigures,
  type ReplayResult,
  type ReplayVerdict,
} from "../../../engine/messages/replay-messages.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { compareShapeOf } from "../../parts/compare-shape.ts";

/** What the dialog shows of a run. */
export type ReplayTexts = ReturnType<typeof replayTextsOf>;

/** Greatest position of the mark; at the edge, half of its line would be cut off. */
const MOST_POSITION = 127.5;

const NO_VERDICT = { title: "", reason: "" };

const TITLES: Readonly<Record<ReplayVerdict["kind"], string>> = {
  always: "Always slow",
  "at-first": "Slow only at first",
  "beside-others": "Slow only with others in flight",
  "not-now": "Not slow now",
  unknown: "Can’t tell",
};

export function replayTextsOf(result: ReplayResult) {
  const { times, ended, recorded, replays, verdict } = result;
  return Object.freeze({
    progress: ended / times,
    progressText: `${countText(ended)} of ${countText(times)}`,
    ...(verdict === null ? NO_VERDICT : { title: TITLES[verdict.kind], reason: reasonOf(verdict, result) }),
    rows: Object.freeze([
      ...(recorded === null ? [] : [rowOf("Recorded", "is-before", recorded)]),
      ...(replays === null ? [] : [rowOf("Repeats", "is-after", replays)]),
    ]),
    shape: shapeOf(result),
    /** What the figures leave out, and what the mark means. */
    notes: Object.freeze(notesOf(result)),
  });
}

function reasonOf(verdict: ReplayVerdict, { atOnce }: ReplayResult): string {
  switch (verdict.kind) {
    case "always":
      return `${ofAll(verdict.slow, verdict.count)} took nearly as long as the recorded request.`;
    case "at-first": {
      const first = verdict.first === 1 ? "The first repeat was" : `The first ${countText(verdict.first)} repeats were`;
      return `${first} slow, ${verdict.slow === verdict.first ? "all" : "nearly all"} later repeats were fast.`;
    }
    case "beside-others":
      return verdict.basis === "repeats"
        ? "Repeats one after another were fast; repeats in parallel were slow."
        : "The endpoint’s recorded requests were slow while other requests to this server were in flight. Without others in flight, recorded requests and repeats were fast.";
    case "not-now": {
      const fast = `${ofAll(verdict.count - verdict.slow, verdict.count)} were fast.`;
      if (atOnce > 1 || verdict.beside === 0) return fast;
      if (verdict.beside === null)
        return `${fast} Weir no longer knows whether other requests were in flight when the recorded request began.`;
      const others = countPhrase(verdict.beside, "other request", "other requests");
      const atOnceToo = Math.min(MOST_AT_ONCE, verdict.beside + 1);
      return `${fast} The recorded request began while ${others} to this server ${verdict.beside === 1 ? "was" : "were"} in flight: also repeat it with ${atOnceToo} in parallel.`;
    }
    case "unknown":
      return doubtText(verdict.doubt, verdict.slow, verdict.count);
  }
}

function doubtText(doubt: ReplayDoubt, slow: number, count: number): string {
  switch (doubt) {
    case "no-latency":
      return "The recorded request has no latency to compare with.";
    case "not-slow":
      return "The recorded request was not slow.";
    case "too-few":
      return `${countPhrase(count, "repeat is", "repeats are")} too few. Repeat the request at least 11 times.`;
    case "answered-otherwise":
      return "Too many repeats failed or got another status than the recorded request.";
    case "uncertain-times":
      return "This computer was too busy to measure the repeats. Repeat the request again.";
    case "only-at-once":
      return `${ofAll(slow, count)} were slow, but they ran in parallel. Also repeat the request with 1 in parallel.`;
    case "mixed":
      return `${ofAll(slow, count)} were slow. Their order does not show why.`;
  }
}

function ofAll(some: number, all: number): string {
  return some === all ? `All ${countText(all)} repeats` : `${countText(some)} of ${countText(all)} repeats`;
}

/** The latencies of the recorded requests, or of the replays; the figures are p50, p95, least and greatest, in ms. */
function rowOf(name: string, kind: string, { count, p50, p95, least, most }: ReplayFigures) {
  return Object.freeze({ name, kind, count: countText(count), figures: [p50, p95, least, most].map(durationText) });
}

/**
 * Two distributions on one axis, with a text alternative, the axis' ends ("16 ms", "354 ms and more") and the path that
 * marks the recorded request ("" if it has no latency).
 */
function shapeOf({ distributions, latency, recorded, replays }: ReplayResult) {
  if (distributions === null || recorded === null || replays === null) return null;
  const { from, to } = distributions;
  const isOpen = Math.max(recorded.most, replays.most) > to;
  const [least, most] = [`${durationText(from)} ms`, `${durationText(to)} ms${isOpen ? " and more" : ""}`];
  const mark = latency === null ? "" : `M${positionOf(latency, from, to)} 0V12`;
  const text = `Latencies from ${least} to ${most}: recorded above the axis, repeats below`;
  return Object.freeze({ ...compareShapeOf(distributions), text, mark, from: least, to: most });
}

/** The position on the logarithmic axis of `compareShapeOf`, which has 128 units. */
function positionOf(latency: Milliseconds, from: Milliseconds, to: Milliseconds): number {
  const share = Math.log(Math.max(latency, from) / from) / Math.log(to / from);
  return Math.min(MOST_POSITION, Math.round(share * 1280) / 10);
}

function notesOf({ latency, slowFrom, otherwise, distributions, verdict }: ReplayResult): string[] {
  const notes: string[] = [];
  if (distributions !== null && latency !== null && slowFrom !== null && slowFrom > 0) {
    const mark = `The line marks the recorded request, ${durationText(latency)} ms.`;
    // If the recorded request was not slow, no replay is called slow.
    const isSlow = verdict?.kind !== "unknown" || verdict.doubt !== "not-slow";
    notes.push(isSlow ? `${mark} Repeats count as slow from ${durationText(slowFrom)} ms.` : mark);
  }
  if (otherwise > 0)
    notes.push(
      `${countPhrase(otherwise, "repeat", "repeats")} failed or got another status; the figures leave them out.`,
    );
  return notes;
}
