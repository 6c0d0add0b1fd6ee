import type { Bucket } from "../../../engine/messages/latency-messages.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { grouped } from "../../format/count.ts";
import { axisText } from "../../format/duration.ts";
import { shareText } from "./phase-part.ts";

/*
 * The latency histogram draws all buckets with the same width, whatever their range. A position is a number of buckets:
 *
 *     0        1        2        3
 *     ├────────┼────────┼────────┤
 *    20       40       80       160 ms        60 ms is at 1.5
 */

/** Least distance of two labels, as a share of the axis. */
const LEAST_APART = 0.14;

export interface EdgeLabel {
  readonly text: string;
  /** Class that keeps the first and the last label within the chart. */
  readonly kind: "is-first" | "is-last" | "";
  readonly style: { readonly left: string };
}

/**
 * The position of a latency on the axis of buckets: linear between two edges, limited to the first and last edge;
 * monotone.
 */
export function bucketPosition(buckets: readonly Bucket[], latency: Milliseconds): number {
  const index = buckets.findIndex(({ hi }) => hi === null || latency < hi);
  const bucket = buckets[index];
  if (bucket === undefined) return buckets.length;
  return index + Math.max(0, shareOf(bucket, latency));
}

/**
 * Labels at 1, 2 and 5 times powers of ten within the buckets, without those that would touch. An end without a limit
 * is labelled "more". `textOf`: the text of an edge; by default that of a time.
 */
export function edgeLabelsOf(
  buckets: readonly Bucket[],
  textOf: (value: number) => string = edgeText,
): readonly EdgeLabel[] {
  const first = buckets[0];
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return [];
  const isOpen = last.hi === null;
  const labels = isOpen ? [labelAt("more", 1)] : [];
  // Powers of ten come first, so that they keep their labels where there is no room for all.
  for (const factor of [1, 2, 5]) {
    for (let power = -1; power <= 7; power += 1) {
      const ms = Number((factor * 10 ** power).toPrecision(1));
      if (ms < first.lo || ms > (last.hi ?? last.lo)) continue;
      const at = bucketPosition(buckets, ms) / buckets.length;
      const isFree = labels.every((label) => Math.abs(label.at - at) >= LEAST_APART);
      if (isFree) labels.push(labelAt(textOf(ms), at));
    }
  }
  if (labels.length === (isOpen ? 1 : 0)) labels.push(labelAt(textOf(first.lo), 0));
  return Object.freeze(labels.toSorted((one, other) => one.at - other.at).map(({ label }) => label));
}

function labelAt(text: string, at: number): { readonly at: number; readonly label: EdgeLabel } {
  const label = Object.freeze({ text, kind: edgeKind(at), style: Object.freeze({ left: shareText(at) }) });
  return { at, label };
}

/** "50 to 100 ms", "30,000 ms and more". */
export function rangeName({ lo, hi }: Pick<Bucket, "lo" | "hi">, unit = "ms"): string {
  const from = grouped(String(lo));
  return hi === null ? `${from} ${unit} and more` : `${from} to ${grouped(String(hi))} ${unit}`;
}

/** The filter terms that the latencies of the bucket match. */
export function rangeFilter({ lo, hi }: Pick<Bucket, "lo" | "hi">): string {
  const words = [];
  if (lo > 0) words.push(`latency>=${lo}`);
  if (hi !== null) words.push(`latency<${hi}`);
  return words.join(" ");
}

/**
 * The position of a latency within its bucket, 0 to 1. In a bucket without an upper edge, longer latencies come closer
 * to 1 and do not reach it.
 */
function shareOf({ lo, hi }: Bucket, latency: Milliseconds): number {
  if (hi !== null) return (latency - lo) / (hi - lo);
  return latency <= 0 ? 0 : 1 - lo / latency;
}

function edgeKind(at: number): EdgeLabel["kind"] {
  if (at < LEAST_APART / 4) return "is-first";
  return at > 1 - LEAST_APART / 4 ? "is-last" : "";
}

function edgeText(ms: Milliseconds): string {
  return ms >= 1000 ? axisText(ms) : String(ms);
}
