import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { groupedAlike } from "../../grouped.ts";
import { savingsAgainst } from "../saved-waiting.ts";
import type { Request } from "../traffic.ts";
import { durationOf, LEAST_EFFECT, LEAST_SLOW } from "./durations.ts";
import { type Explained, overlapOf, SAME_FROM } from "./endpoint-causes.ts";
import { type Explanation, explanationBy } from "./explanation.ts";
import { partnerNameOf } from "./partners.ts";

/** How many times as slow the nearer half of the other requests is if a service slows down by and by. */
const LEAST_DRIFT = 1.25;

/** One cause of an endpoint's slow requests, and how much sooner each would have ended without it. */
export interface Cause {
  readonly explanation: Explanation;
  readonly savings: ReadonlyMap<Request, Milliseconds>;
}

/**
 * The causes that an endpoint's explanations give. A later cause is also counted among the requests of earlier ones,
 * against those of them without the later attribute.
 */
export function causesIn(explained: readonly Explained[]): readonly Cause[] {
  return explained.map(({ explanation }, index) => {
    const { carries } = explanation.split;
    const savings = new Map(savingsOf(explanation));
    for (const earlier of explained.slice(0, index)) {
      const { inside } = earlier.explanation;
      const others = inside.filter((request) => !carries(request));
      if (others.length < LEAST_SLOW) continue;
      for (const [request, saving] of savingsAgainst(inside.filter(carries), others, durationOf))
        savings.set(request, saving);
    }
    return { explanation, savings };
  });
}

function savingsOf({ split, inside, outside }: Explanation): ReadonlyMap<Request, Milliseconds> {
  if (split.attribute.name !== "time-in-session") return savingsAgainst(inside, outside, durationOf);
  // What slows down by and by has cost the others time, too: the half that is furthest from the slow requests counts.
  const isLater = medianStart(inside) > medianStart(outside);
  const byDistance = outside.toSorted((left, right) => (isLater ? left.start - right.start : right.start - left.start));
  const half = Math.ceil(byDistance.length / 2);
  const [far, near] = [byDistance.slice(0, half), byDistance.slice(half)];
  const isDrift = medianOf(near.map(durationOf)) >= LEAST_DRIFT * medianOf(far.map(durationOf));
  return savingsAgainst(isDrift ? [...inside, ...near] : inside, isDrift ? far : outside, durationOf);
}

function medianStart(requests: readonly Request[]): number {
  return medianOf(requests.map(({ start }) => start));
}

/** A load takes the place of another endpoint in flight if it explains at least this share of its slow requests. */
const AS_MUCH = 0.8;

/**
 * The causes, where an endpoint that another holds up while that one is itself slow under load is slow under the same
 * load: both wait for the same pool.
 */
export function sharedLoads(causes: readonly Cause[]): readonly Cause[] {
  const loads = new Map<string, Explanation["split"]>(
    causes.flatMap(({ explanation }) => {
      const [first] = explanation.inside;
      const isLoad = first !== undefined && explanation.split.attribute.name === "in-flight";
      return isLoad ? [[`${first.origin} while:${partnerNameOf(first)}`, explanation.split] as const] : [];
    }),
  );
  return causes.map((cause) => {
    const { split, inside, outside, slow, tried } = cause.explanation;
    const load = loads.get(`${originOf(cause.explanation)} ${split.attribute.name}`);
    if (load === undefined) return cause;
    const among = [...inside, ...outside].sort((left, right) => left.start - right.start);
    const explanation = explanationBy(load, among, tried);
    if (explanation === null || explanation.slow.with < AS_MUCH * slow.with) return cause;
    if (explanation.median < LEAST_EFFECT * explanation.usual) return cause;
    return { explanation, savings: savingsOf(explanation) };
  });
}

/** The causes grouped: those that are alike at several endpoints of one origin are one. */
export function joinedCauses(causes: readonly Cause[]): readonly (readonly Cause[])[] {
  return groupedAlike(causes, (one, other) => isAlike(one.explanation, other.explanation));
}

/** Whether both have the same attribute, and values or thresholds that choose about the same requests. */
function isAlike(one: Explanation, other: Explanation): boolean {
  if (one.split.attribute.name !== other.split.attribute.name || originOf(one) !== originOf(other)) return false;
  if (one.split.attribute.value === other.split.attribute.value) return true;
  const requests = [one, other].flatMap(({ inside, outside }) => [...inside, ...outside]);
  return overlapOf(requests, one.split.carries, other.split.carries) >= SAME_FROM;
}

function originOf({ inside }: Explanation): string {
  return inside[0]?.origin ?? "";
}
