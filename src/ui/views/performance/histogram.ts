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

/** The most edges with a label. */
const MOST_LABELLED = 7;

/** A label below an edge. */
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
 * A label for each edge, or for fewer edges if the labels would touch. An upper edge without a limit is labelled
 * "more".
 */
export function edgeLabelsOf(buckets: readonly Bucket[]): readonly EdgeLabel[] {
  const first = buckets[0];
  if (first === undefined) return [];
  const every = Math.ceil(buckets.length / (MOST_LABELLED - 1));
  const texts = [edgeText(first.lo), ...buckets.map(({ hi }) => (hi === null ? "more" : edgeText(hi)))];
  return texts.flatMap((text, index) => {
    // The last edge always has a label, so the label before it may be omitted.
    const isLast = index === buckets.length;
    if (!isLast && (index % every !== 0 || buckets.length - index < every)) return [];
    const left = shareText(index / buckets.length);
    return [Object.freeze({ text, kind: edgeKind(index, buckets.length), style: Object.freeze({ left }) })];
  });
}

/** "50 to 100 ms", "30,000 ms and more". */
export function rangeName({ lo, hi }: Pick<Bucket, "lo" | "hi">): string {
  return hi === null ? `${grouped(String(lo))} ms and more` : `${grouped(String(lo))} to ${grouped(String(hi))} ms`;
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

function edgeKind(index: number, last: number): EdgeLabel["kind"] {
  if (index === 0) return "is-first";
  return index === last ? "is-last" : "";
}

function edgeText(ms: Milliseconds): string {
  return ms >= 1000 ? axisText(ms) : String(ms);
}
