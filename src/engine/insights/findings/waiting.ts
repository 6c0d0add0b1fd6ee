import type { Milliseconds } from "../../model/units.ts";
import { addTo } from "../grouped.ts";

/** A span during which a client waited. */
export interface Span {
  readonly client: string;
  readonly start: number;
  readonly end: number;
}

export function lengthOf({ start, end }: { readonly start: number; readonly end: number }): Milliseconds {
  return end - start;
}

/** How long clients waited, summed over clients. Overlapping spans of one client count once. */
export function waitingOf(spans: Iterable<Span>): Milliseconds {
  const byClient = new Map<string, Span[]>();
  for (const span of spans) addTo(byClient, span.client, span);
  let sum = 0;
  for (const own of byClient.values()) sum += unionOf(own);
  return sum;
}

/** The length of the union of intervals. */
export function unionOf(spans: readonly { readonly start: number; readonly end: number }[]): Milliseconds {
  const sorted = isByStart(spans) ? spans : spans.toSorted((left, right) => left.start - right.start);
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { start, end } of sorted) {
    if (end <= until) continue;
    sum += end - Math.max(start, until);
    until = end;
  }
  return sum;
}

function isByStart(spans: readonly { readonly start: number }[]): boolean {
  for (let index = 1; index < spans.length; index += 1)
    if ((spans[index]?.start ?? 0) < (spans[index - 1]?.start ?? 0)) return false;
  return true;
}

/** How much less clients would have waited if only the spans of `kept` had occurred. */
export function savedBy(spans: readonly Span[], kept: readonly Span[]): Milliseconds {
  return Math.max(0, waitingOf(spans) - waitingOf(kept));
}
