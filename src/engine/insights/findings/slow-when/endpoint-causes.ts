import type { CutCounts } from "../../../messages/latency-messages.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import type { Request } from "../traffic.ts";
import { TIERS } from "./column.ts";
import { type Explanation, explanationOf, isComparable } from "./explanation.ts";
import type { Load } from "./load.ts";
import type { Split } from "./split.ts";

/** The most causes of one endpoint. Each cause is searched among the requests without an earlier cause. */
const MOST_CAUSES = 3;

/** Two attributes that overlap by at least this share are one. */
export const SAME_FROM = 0.5;

/** An attribute that an endpoint's slow requests share and its other requests lack. */
export interface EndpointCause {
  readonly attribute: { readonly name: string; readonly value: string };
  /** All requests with this attribute, slow or not, without the requests of earlier causes. */
  readonly members: readonly ExchangeId[];
  /** The number of requests compared, without those of earlier causes. */
  readonly compared: number;
  /**
   * The median duration with the attribute, and without it. Durations exclude the wait for a connection and its set-up.
   */
  readonly median: Milliseconds;
  readonly usual: Milliseconds;
  readonly cut: CutCounts;
}

/** The compared requests of one endpoint, and its causes. The cause that explains most comes first. */
export interface EndpointCauses {
  readonly compared: readonly ExchangeId[];
  readonly causes: readonly EndpointCause[];
}

/** Finds the causes of one endpoint. `endpoints`: how many endpoints of the session are examined, to correct p. */
export function causesOf(requests: readonly Request[], load: Load, endpoints: number): EndpointCauses {
  const comparable = requests.filter(isComparable);
  const explained = explanationsOf(comparable, load, endpoints);
  const causes = explained.map(({ explanation, among }): EndpointCause => {
    const { split, median, usual } = explanation;
    const members = among.filter(split.carries).map(({ id }) => id);
    const cut = cutCountsOf(explanation);
    return { attribute: split.attribute, members, compared: among.length, median, usual, cut };
  });
  return { compared: comparable.map(({ id }) => id), causes };
}

/** An explanation, and the requests among which it was found: those without the attributes of earlier explanations. */
export interface Explained {
  readonly explanation: Explanation;
  readonly among: readonly Request[];
}

/** The explanations of comparable requests of one endpoint, at most `MOST_CAUSES`, each a thing of its own. */
export function explanationsOf(comparable: readonly Request[], load: Load, endpoints: number): readonly Explained[] {
  const explained: Explained[] = [];
  for (let among = comparable; explained.length < MOST_CAUSES; ) {
    const explanation = explanationOf(among, load, endpoints);
    if (explanation === null) break;
    const { split } = explanation;
    if (explained.some((earlier) => isSameThing(earlier.explanation.split, split, comparable))) break;
    explained.push({ explanation, among });
    among = among.filter((request) => !split.carries(request));
  }
  return explained;
}

/**
 * Whether a later split is only a second name for an earlier one: it holds for the same requests, it follows from the
 * response, or it is a range of numbers as well, since numbers such as load and time change together.
 */
function isSameThing(earlier: Split, later: Split, requests: readonly Request[]): boolean {
  if (later.tier === TIERS.consequence || (earlier.isRange && later.isRange)) return true;
  return overlapOf(requests, earlier.carries, later.carries) >= SAME_FROM;
}

/** The requests with both attributes, as a share of those with at least one; 0 if there are none. */
export function overlapOf(requests: readonly Request[], one: Split["carries"], other: Split["carries"]): number {
  let [both, either] = [0, 0];
  for (const request of requests) {
    const [hasOne, hasOther] = [one(request), other(request)];
    if (hasOne && hasOther) both += 1;
    if (hasOne || hasOther) either += 1;
  }
  return either === 0 ? 0 : both / either;
}

function cutCountsOf({ cut, slow, inside, outside }: Explanation): CutCounts {
  return {
    at: cut,
    slowWith: slow.with,
    slow: slow.with + slow.without,
    othersWith: inside.length - slow.with,
    others: inside.length + outside.length - slow.with - slow.without,
  };
}
