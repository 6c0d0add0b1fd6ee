import type { ReplayDoubt, ReplayVerdict } from "../messages/replay-messages.ts";
import type { Milliseconds } from "../model/units.ts";
import { binomialAtLeast } from "../stats/distributions.ts";
import { medianOf, type Sample, sampleOf } from "../stats/percentile.ts";
import { mannWhitneyOf } from "../stats/ranks.ts";
import { SIGNIFICANT } from "./figure-change.ts";

/*
 * Why a recorded request was slow, judged by replays. A replay is slow if it took nearly as long as the recorded
 * request:
 *
 *   recorded  ├──────────────────────────────┤ 900 ms
 *   cut       ├───────────────────┤ 600 ms          a shorter replay is fast
 *
 * docs/decisions.md names the conditions and their reasons.
 */

/**
 * A replay is fast if it is shorter than the recorded request by more than the factor `FACTOR` and by more than
 * `LEAST_CHANGE`.
 */
const FACTOR = 1.5;
const LEAST_CHANGE: Milliseconds = 20;

/** A request with a latency below this is slow only if its latency exceeds the endpoint's limit. */
const NOTICEABLE: Milliseconds = 100;

/**
 * Nearly all replays have a property if at least the share `NEARLY_ALL` has it. A binomial test must also show that the
 * true share exceeds `MOST`.
 */
const NEARLY_ALL = 0.9;
const MOST = 0.75;

/**
 * The greatest p at which `slowBeginning` and `isNearlyAll` rule out chance. A lower limit would need about a hundred
 * replays.
 */
const UNLIKELY = 0.05;

/** After the slow replays at the beginning, at most this share of all replays may be slow. */
const LATER = 0.05;

/** The fewest recorded latencies on each side of a comparison. */
const LEAST_RECORDED = 5;

export interface ReplayEvidence {
  /** The latency of the recorded request; `null` if it has none. */
  readonly latency: Milliseconds | null;
  /** Whether the latency exceeds the endpoint's limit (`slowLimitOf`). */
  readonly isSlow: boolean;
  /**
   * The number of requests to the same server that were in flight when the recorded request started; `null` if unknown.
   */
  readonly beside: number | null;
  /**
   * Latencies of the endpoint's recorded requests. `alone`: of requests that started alone; `beside`: of requests that
   * started while others were in flight.
   */
  readonly recorded: { readonly alone: readonly Milliseconds[]; readonly beside: readonly Milliseconds[] };
  /** Latencies of the replays with the same status as the recorded request, in the order of their starts. */
  readonly replays: readonly Milliseconds[];
  /** The number of replays that failed or had another status. */
  readonly otherwise: number;
  /** The number of `replays` whose times are too uncertain to tell slow from fast. */
  readonly uncertain: number;
  readonly atOnce: number;
  /**
   * Latencies of the last earlier run whose replays were sent one after another; `null` if there is none, or if this
   * run sends its replays one after another, too.
   */
  readonly before: readonly Milliseconds[] | null;
}

/** The verdict that the replays allow. If they allow none, the verdict is `unknown` with its reason. */
export function replayVerdictOf(evidence: ReplayEvidence): ReplayVerdict {
  const { latency, isSlow, beside, replays, otherwise, uncertain, atOnce, before } = evidence;
  const count = replays.length;
  const cut = latency === null ? Number.POSITIVE_INFINITY : slowFrom(latency);
  const isSlowReplay = (one: Milliseconds): boolean => one >= cut;
  const slow = replays.filter(isSlowReplay).length;
  const unknown = (doubt: ReplayDoubt): ReplayVerdict => ({ kind: "unknown", doubt, slow, count });
  if (latency === null) return unknown("no-latency");
  if (cut <= 0 || (!isSlow && latency < NOTICEABLE)) return unknown("not-slow");
  if (count < NEARLY_ALL * (count + otherwise)) return unknown("answered-otherwise");
  if (!isNearlyAll(count, count)) return unknown("too-few");
  if (count - uncertain < NEARLY_ALL * count) return unknown("uncertain-times");
  if (atOnce > 1 && before !== null && isFast(before, cut) && isShift(replays, before))
    return { kind: "beside-others", basis: "repeats" };
  if (isNearlyAll(slow, count)) {
    const isAlone = atOnce === 1 || (before !== null && isNearlyAll(before.filter(isSlowReplay).length, before.length));
    return isAlone ? { kind: "always", slow, count } : unknown("only-at-once");
  }
  const first = slowBeginning(replays.map(isSlowReplay));
  if (first !== null) return { kind: "at-first", first, slow, count };
  if (!isFast(replays, cut)) return unknown("mixed");
  if (atOnce === 1 && beside !== null && beside > 0 && dependsOnOthers(evidence))
    return { kind: "beside-others", basis: "recorded" };
  return { kind: "not-now", slow, count, beside };
}

/**
 * The latency from which on a replay is slow. `latency`: of the recorded request. If this latency is at most
 * `LEAST_CHANGE`, the result is 0 or less.
 */
export function slowFrom(latency: Milliseconds): Milliseconds {
  return Math.min(latency / FACTOR, latency - LEAST_CHANGE);
}

/**
 * Whether `hits` are nearly all of `count`: at least the share `NEARLY_ALL`, and by a binomial test more than the share
 * `MOST`.
 */
function isNearlyAll(hits: number, count: number): boolean {
  return hits >= NEARLY_ALL * count && binomialAtLeast(hits, count, MOST) <= UNLIKELY;
}

function isFast(latencies: readonly Milliseconds[], cut: Milliseconds): boolean {
  return isNearlyAll(latencies.filter((one) => one < cut).length, latencies.length);
}

/**
 * The number of slow replays at the beginning. `null` if there are none, if they are more than half, if chance explains
 * them, or if too many slow replays follow. If j of n replays are slow, the probability that the first m are slow by
 * chance is j/n · (j-1)/(n-1) · … (m factors).
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

/**
 * Whether the recorded requests beside others were slower than the recorded requests alone, and slower than the
 * replays. The recorded requests alone must not have been slower than the replays.
 */
function dependsOnOthers({ recorded, replays }: ReplayEvidence): boolean {
  const { alone, beside } = recorded;
  if (alone.length < LEAST_RECORDED || beside.length < LEAST_RECORDED) return false;
  return isShift(beside, alone) && isShift(beside, replays) && !isShift(alone, replays);
}

/** Whether the latencies of `slower` are longer by a rank test, and by enough to matter. */
function isShift(slower: readonly Milliseconds[], faster: readonly Milliseconds[]): boolean {
  if (medianOf(faster) >= slowFrom(medianOf(slower))) return false;
  const { p, superiority } = mannWhitneyOf(wholeSample(slower), wholeSample(faster));
  return p < SIGNIFICANT && superiority > 0.5;
}

function wholeSample(values: readonly Milliseconds[]): Sample {
  return sampleOf(Float64Array.from(values).sort(), values.length);
}
