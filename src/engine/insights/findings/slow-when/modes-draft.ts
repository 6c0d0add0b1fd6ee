import { medianOf } from "../../../stats/percentile.ts";
import { type Group, groupedAlike } from "../../grouped.ts";
import { atEndpoint, atOrigin, draftOf, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { sumOf } from "../numbers.ts";
import { savedWaiting, savingsAgainst, shortened } from "../saved-waiting.ts";
import { counted, inMs, inPercent, nameOf, quoted } from "../text.ts";
import type { Traffic } from "../traffic.ts";
import { durationOf, leftOutOfDurations } from "./durations.ts";
import type { Modes } from "./modes.ts";

/** Fixed times of two endpoints that differ by less than this share are one. */
const SAME_TIME = 0.15;

/** The modes grouped: those of one origin and sort are one, fixed times only if they are about equal. */
export function joinedModes(all: readonly Modes[]): readonly Group<Modes>[] {
  return groupedAlike(all, isAlike);
}

function isAlike(one: Modes, other: Modes): boolean {
  if (one.sort !== other.sort || one.slow[0]?.origin !== other.slow[0]?.origin) return false;
  return one.sort !== "fixed" || Math.abs(Math.log(one.median / other.median)) < SAME_TIME;
}

/** The finding about modes that no attribute tells apart. `alike`: at one or more endpoints. */
export function draftOfModes(alike: readonly Modes[], traffic: Pick<Traffic, "byClient" | "links">): Draft {
  const [first] = alike;
  const slow = alike.flatMap((modes) => modes.slow);
  const [one] = slow;
  if (first === undefined || one === undefined) throw new Error("modes without slow requests");
  const savings = new Map(alike.flatMap((modes) => [...savingsAgainst(modes.slow, modes.quick, durationOf)]));
  const all = slow.length + sumOf(alike, ({ quick }) => quick.length);
  const [usual, median] = [medianOf(alike.map((modes) => modes.usual)), medianOf(alike.map((modes) => modes.median))];
  const name =
    alike.length === 1 ? nameOf(one.facts.endpoint) : `${counted(alike.length, "endpoint")} of ${quoted(one.origin)}`;
  const share = inPercent(slow.length / all);
  return draftOf({
    kind: "slow-when",
    scope: alike.length === 1 ? atEndpoint(one) : atOrigin(one.origin, null),
    count: slow.length,
    time: savedWaiting(traffic, shortened(savings)),
    confidence: "possible",
    telling: [...savings.keys()].sort((left, right) => (savings.get(right) ?? 0) - (savings.get(left) ?? 0)),
    covers: slow,
    summary:
      first.sort === "fixed"
        ? `${slow.length} of ${all} requests to ${name} took about ${inMs(median)}, the others ${inMs(usual)}: a time-out or retry of about ${inMs(median - usual)} behind this server.`
        : `Requests to ${name} have two modes, ${inMs(usual)} and ${inMs(median)}, ${share} of them slow${first.sort === "in-turn" ? ", in turn: more than one server, or every few requests" : ": there may be more than one server"}.`,
    advice:
      first.sort === "fixed"
        ? "Look for a call with a time-out or a retry delay of this length behind the server."
        : "Compare the servers behind this address, or look for work that the server does for every few requests.",
    evidence: figures({
      "slow requests": `${slow.length} of ${all}`,
      "median time of the slow requests": inMs(median),
      "median time of the others": inMs(usual),
      "slow from": inMs(first.cut),
    }),
    basis: `Between the two modes durations are rarer than within them, by a corrected binomial test, and no attribute tells them apart. The time is what clients would not have waited if the slow requests took what the others took, rank by rank. ${leftOutOfDurations(alike.flatMap(({ slow, quick }) => [...slow, ...quick]))}`,
  });
}
