import type { RepeatDoubt, RepeatVerdict } from "../messages/repeat-messages.ts";
import type { Milliseconds } from "../model/units.ts";
import { binomialAtLeast } from "../stats/distributions.ts";
import { mannWhitneyOf } from "../stats/mann-whitney.ts";
import { medianOf } from "../stats/percentile.ts";
import { type Sample, sampleOf } from "../stats/sample.ts";
import { SIGNIFICANT } from "./change.ts";

/*
 * Why a recorded request was slow, by repeats of it. A repeat is slow if it took nearly as long as the recorded request:
 *
 *   recorded  ├──────────────────────────────┤ 900 ms
 *   cut       ├───────────────────┤ 600 ms          a repeat below it is fast
 *
 * docs/decisions.md has the gates and their reasons.
 */

/** Fast: shorter than the recorded request by this factor and by this many ms. Defaults; not from a specification. */
const FACTOR = 1.5;
const LEAST_CHANGE: Milliseconds = 20;

/** A request below this is slow only against its endpoint. Default; not from a specification. */
const NOTICEABLE: Milliseconds = 100;

/** The share that counts as nearly all, and what the true share must exceed by a binomial test. */
const NEARLY_ALL = 0.9;
const MOST = 0.75;

/**
 * The largest p at which slow repeats are all at the beginning by chance, and at which a share is not that of most. A
 * stricter one would need a hundred repeats.
 */
const UNLIKELY = 0.05;

/** The share of slow repeats that may follow a slow beginning. */
const LATER = 0.05;

/** The least number of recorded latencies on either side of a comparison. */
const LEAST_RECORDED = 5;

export interface RepeatEvidence {
  /** The latency of the recorded request; `null` without one. */
  readonly latency: Milliseconds | null;
  /** Whether it is above its endpoint's limit (`slowLimitOf`). */
  readonly isSlow: boolean;
  /** Requests to the same server that were in flight when it began. */
  readonly beside: number;
  /** Latencies of its endpoint's recorded requests that began alone, and beside others. */
  readonly recorded: { readonly alone: readonly Milliseconds[]; readonly beside: readonly Milliseconds[] };
  /** Latencies in order of start, of repeats that were answered as the recorded request was. */
  readonly repeats: readonly Milliseconds[];
  /** Repeats that failed or were answered otherwise. */
  readonly otherwise: number;
  /** Those of `repeats` that the uncertainty of their times could turn from slow to fast, or back. */
  readonly uncertain: number;
  readonly atOnce: number;
  /** The latencies of the last run one after another; `null` without one, or if this is it. */
  readonly before: readonly Milliseconds[] | null;
}

/** What the repeats show; never more than they can. */
export function repeatVerdictOf(evidence: RepeatEvidence): RepeatVerdict {
  const { latency, isSlow, beside, repeats, otherwise, uncertain, atOnce, before } = evidence;
  const count = repeats.length;
  const cut = latency === null ? Number.POSITIVE_INFINITY : slowFrom(latency);
  const isSlowRepeat = (one: Milliseconds): boolean => one >= cut;
  const slow = repeats.filter(isSlowRepeat).length;
  const unknown = (doubt: RepeatDoubt): RepeatVerdict => ({ kind: "unknown", doubt, slow, count });
  if (latency === null) return unknown("no-latency");
  if (cut <= 0 || (!isSlow && latency < NOTICEABLE)) return unknown("not-slow");
  if (count < NEARLY_ALL * (count + otherwise)) return unknown("answered-otherwise");
  if (!isNearlyAll(count, count)) return unknown("too-few");
  if (count - uncertain < NEARLY_ALL * count) return unknown("uncertain-times");
  if (atOnce > 1 && before !== null && isFast(before, cut) && isShift(repeats, before))
    return { kind: "beside-others", basis: "repeats" };
  if (isNearlyAll(slow, count)) {
    const isAlone = atOnce === 1 || (before !== null && isNearlyAll(before.filter(isSlowRepeat).length, before.length));
    return isAlone ? { kind: "always", slow, count } : unknown("only-at-once");
  }
  const first = slowBeginning(repeats.map(isSlowRepeat));
  if (first !== null) return { kind: "at-first", first, slow, count };
  if (!isFast(repeats, cut)) return unknown("mixed");
  if (atOnce === 1 && beside > 0 && dependsOnOthers(evidence)) return { kind: "beside-others", basis: "recorded" };
  return { kind: "not-now", slow, count, beside };
}

/** Repeats of a request with that latency are slow from here on; not above 0 where it is too short to be slow. */
export function slowFrom(latency: Milliseconds): Milliseconds {
  return Math.min(latency / FACTOR, latency - LEAST_CHANGE);
}

/** Whether nearly all are `hits`, and more than `MOST` of any number would be. */
function isNearlyAll(hits: number, count: number): boolean {
  return hits >= NEARLY_ALL * count && binomialAtLeast(hits, count, MOST) <= UNLIKELY;
}

function isFast(latencies: readonly Milliseconds[], cut: Milliseconds): boolean {
  return isNearlyAll(latencies.filter((one) => one < cut).length, latencies.length);
}

/**
 * The number of slow repeats at the beginning; `null` if chance explains them, or slow ones follow. Of n repeats of
 * which j are slow, the first m are slow by chance with probability j/n · (j-1)/(n-1) · … (m factors).
 */
function slowBeginning(isSlow: readonly boolean[]): number | null {
  const count = isSlow.length;
  const slow = isSlow.filter((one) => one).length;
  const first = isSlow.indexOf(false);
  if (first <= 0 || slow - first > LATER * count || first > count / 2) return null;
  let chance = 1;
  for (let index = 0; index < first; index += 1) chance *= (slow - index) / (count - index);
  return chance <= UNLIKELY ? first : null;
}

/** Whether the endpoint's recorded requests were slower when others were in flight, and otherwise as fast as the repeats. */
function dependsOnOthers({ recorded, repeats }: RepeatEvidence): boolean {
  const { alone, beside } = recorded;
  if (alone.length < LEAST_RECORDED || beside.length < LEAST_RECORDED) return false;
  return isShift(beside, alone) && isShift(beside, repeats) && !isShift(alone, repeats);
}

/** Whether `slower` is longer by a rank test, and by enough to matter. */
function isShift(slower: readonly Milliseconds[], faster: readonly Milliseconds[]): boolean {
  if (medianOf(faster) >= slowFrom(medianOf(slower))) return false;
  const { p, superiority } = mannWhitneyOf(wholeSample(slower), wholeSample(faster));
  return p < SIGNIFICANT && superiority > 0.5;
}

function wholeSample(values: readonly Milliseconds[]): Sample {
  return sampleOf(Float64Array.from(values).sort(), values.length);
}
