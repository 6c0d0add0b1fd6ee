import type { SlowRecord } from "../../../../engine/messages/latency-messages.ts";
import { hostOf, operationIn, pathOf } from "../../../../engine/model/endpoint.ts";
import type { Milliseconds } from "../../../../engine/model/units.ts";
import { clockText, exactClockText } from "../../../format/clock.ts";
import { durationText } from "../../../format/duration.ts";
import { withOperation } from "../../../format/endpoint.ts";
import { isSafeMethod } from "../../../format/method.ts";
import { PHASE_KINDS, phasesPhrase } from "../../../format/phases.ts";
import { slowCauseText } from "../../../format/slow-cause.ts";
import { type PhasePart, phasePartsOf, shareText, WAIT_KIND, waitPartOf } from "../phase-part.ts";

/** A slow request: its endpoint, a sentence, and its bar. */
export type SlowRow = ReturnType<typeof slowRowOf>;

export function slowRowOf(record: SlowRecord) {
  const scale = scaleOf(record);
  const bar = slowBarOf(record, scale);
  const times = record.timesP50 === null ? "" : `${timesText(record.timesP50)} its p50`;
  const cause = slowCauseText(record);
  const broken = reasonsOf(record).join(", ");
  const reasons = `${times === "" || broken === "" ? "" : ", "}${broken}${cause === "" ? "" : "; "}`;
  const operation = operationIn(record.endpoint);
  return Object.freeze({
    key: record.id,
    method: record.method,
    changes: !isSafeMethod(record.method),
    path: withOperation(pathOf(record.target), operation),
    host: hostOf(record.origin),
    title: `${record.method} ${record.origin}${withOperation(record.target, operation)}`,
    /** The status if it is 400 or higher: "504"; else "". */
    failure: failureText(record),
    /** "7.8x its p50", the endpoint's; "" if there is no p50. */
    times,
    /** The middle of the sentence, before the cause: ", 1,034 ms over its p95; ". */
    reasons,
    /** CSS class of the phase or wait that is the cause; "" if no cause is known. */
    causeKind: causeKindOf(cause, record),
    /** The end of the sentence: "the server took 1,000 ms longer than usual."; "." if no cause is known. */
    cause: `${cause}.`,
    /** The whole sentence, for a tooltip. */
    sentence: `${times}${reasons}${cause}.`,
    latency: durationText(record.latency),
    started: clockText(record.startTime),
    startedTitle: exactClockText(record.startTime),
    parts: bar.parts,
    /** Positions of the bar's break and of the p50; `null` if there is none. */
    cut: bar.cut === null ? null : { left: shareText(bar.cut) },
    p50: bar.p50 === null ? null : { left: shareText(bar.p50) },
    /** Whether the line at 1x is the endpoint's own p95, not the fixed threshold. */
    ownP95: record.p95 !== null,
    barText: barText(record),
  });
}

/** The latency at 1x of the bar's axis. */
function scaleOf({ p95, fixedThreshold, latency }: SlowRecord): Milliseconds {
  const scale = p95 ?? fixedThreshold ?? latency;
  return scale > 0 ? scale : Math.max(latency, 1);
}

/** The exceeded thresholds, the endpoint's p95 first. */
function reasonsOf({ reasons, latency, p95, fixedThreshold }: SlowRecord): readonly string[] {
  const sentences = [];
  const overOwn = reasons.includes("p95") && p95 !== null;
  if (overOwn) sentences.push(`${durationText(latency - p95)} ms over its p95`);
  if (reasons.includes("fixed") && fixedThreshold !== null) {
    const excess = overOwn ? "" : `${durationText(latency - fixedThreshold)} ms `;
    sentences.push(`${excess}over the ${durationText(fixedThreshold)} ms threshold`);
  }
  return sentences;
}

function causeKindOf(text: string, { cause }: SlowRecord): string {
  if (text === "") return "";
  return cause === null ? WAIT_KIND : PHASE_KINDS[cause.phase];
}

function timesText(times: number): string {
  return `${times < 99.95 ? times.toFixed(1) : durationText(times)}x`;
}

function failureText({ status }: SlowRecord): string {
  return status !== null && status >= 400 ? String(status) : "";
}

/** The text alternative of the drawing. */
function barText({ spans, wait, latency, p50, p95 }: SlowRecord): string {
  const waited = wait === null ? "" : `Waiting ${durationText(wait.to - wait.from)} ms, `;
  const marks = p95 === null ? "" : `; p50 ${durationText(p50)} ms, p95 ${durationText(p95)} ms`;
  return `${waited}${phasesPhrase(spans)} of ${durationText(latency)} ms${marks}`;
}

/*
 * The bar of a slow request. The p95 of the endpoint is at 1x, so that the p95 marks of all bars form one line:
 *
 *   0            1x            2x            3x
 *   ▂▃▅████┊████│██████████████████████//██══        if longer than 3x: a break, then the end
 *         p50  p95
 */

/** The end of the axis, in units of 1x. */
const END = 3;

/** The lengths of a cut bar's end and of its break, in units of 1x. */
const TAIL = 0.25;
const BREAK = 0.08;

interface SlowBar {
  readonly parts: readonly PhasePart[];
  /** Start of the break, as a share of the width; `null`: the bar is not cut. */
  readonly cut: number | null;
  /** Position of the endpoint's p50; `null` if there is none. */
  readonly p50: number | null;
}

/** The position of the instant `at` ms after the start, as a share of the axis; monotone. `scale` ms is 1x. */
export function barShare(at: Milliseconds, latency: Milliseconds, scale: Milliseconds): number {
  const position = at / scale;
  const whole = latency / scale;
  if (whole <= END) return Math.max(0, Math.min(position, whole)) / END;
  const fromEnd = Math.max(0, whole - position);
  if (fromEnd <= TAIL) return (END - fromEnd) / END;
  return Math.max(0, Math.min(position, END - TAIL - BREAK)) / END;
}

/** The bar of a request; `scale` ms is 1x. */
export function slowBarOf(
  { spans, wait, latency, p50 }: Pick<SlowRecord, "spans" | "wait" | "latency" | "p50">,
  scale: Milliseconds,
): SlowBar {
  const share = (at: Milliseconds): number => barShare(at, latency, scale);
  return Object.freeze({
    parts: Object.freeze([
      ...(wait === null ? [] : [waitPartOf(share(wait.from), share(wait.to))]),
      ...phasePartsOf(spans, share),
    ]),
    cut: latency / scale > END ? (END - TAIL - BREAK) / END : null,
    p50: p50 === null ? null : share(p50),
  });
}
