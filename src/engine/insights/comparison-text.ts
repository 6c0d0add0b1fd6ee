import type { CompareRecord, CompareVerdict, Comparison } from "../messages/compare-messages.ts";
import { partsOf } from "../model/endpoint.ts";
import type { OverallChange } from "../model/trend.ts";
import { counted, inMs, inTime } from "./findings/text.ts";

/* What a comparison of two sessions says, in the window and in a terminal. */

const WORDS: Readonly<Record<Exclude<CompareVerdict, "absent">, string>> = {
  slower: "slower",
  faster: "faster",
  same: "same",
  "same-median": "same median",
  unknown: "can't tell",
};

/** Whether the session is slower than its baseline, for all endpoints that changed together. */
export function overallText({ before, change, most, requests, changed, untold, endpoints }: OverallChange): string {
  if (most === null)
    return untold === endpoints
      ? "Can’t tell whether it became slower: too few requests."
      : unchanged(untold, endpoints);
  const share = Math.abs(change) / before;
  const percent = share < 0.01 ? "less than 1" : String(Math.round(100 * share));
  const { method, path } = partsOf(most.endpoint);
  // With digits enough for the percentage to be checked.
  const inDigits = Math.min(before, before + change) < 10_000 ? inMs : inTime;
  const times = `${inDigits(before + change)} instead of ${inDigits(before)}`;
  const part = `${inTime(Math.abs(most.change))} of it at ${method} ${path}`;
  const [word, more] = change > 0 ? ["Slower", "longer"] : ["Faster", "less"];
  const whose = `${changed} of ${counted(endpoints, "endpoint")} changed. ${changed === 1 ? "Its" : "Their"}`;
  return `${word}: ${whose} ${counted(requests, "request")} took ${percent} % ${more} in all (${times}), ${part}.`;
}

function unchanged(untold: number, endpoints: number): string {
  const rest = untold === 0 ? "" : ` For ${untold} of ${endpoints} endpoints the requests are too few to tell.`;
  return `No endpoint became slower or faster.${rest}`;
}

/**
 * "2 slower, 0 faster, 9 same, 3 same median, 2 can't tell"; endpoints that were not compared are counted separately.
 */
export function countsText({ slower, faster, same, unknown, absent, ...rest }: Comparison["counts"]): string {
  const median = rest["same-median"] === 0 ? "" : `, ${rest["same-median"]} same median`;
  const told = `${slower} slower, ${faster} faster, ${same} same${median}, ${unknown} can't tell`;
  return absent === 0 ? told : `${told}; ${absent} not compared: fewer than 5 requests or no latency on one side`;
}

/**
 * A verdict in words. A verdict on the p50 alone names the p50, because the p95 is shown as well. An endpoint without a
 * row may have been requested: a session keeps the figures of endpoints with a row alone.
 */
export function verdictText({
  verdict,
  note,
  left,
  right,
}: Pick<CompareRecord, "verdict" | "note" | "left" | "right">): string {
  if (verdict === "absent") {
    if (left === null) return "up to 4 requests before";
    return right === null ? "up to 4 requests now" : "no latency";
  }
  const isMiddle = note !== null && (verdict === "slower" || verdict === "faster");
  return isMiddle ? `${WORDS[verdict]} at p50` : WORDS[verdict];
}

/** "1 before and 2 now left out: uncertain times"; "" if none is. */
export function uncertainText({ left, right }: CompareRecord["uncertain"]): string {
  const sides = [left === 0 ? [] : `${left} before`, right === 0 ? [] : `${right} now`].flat();
  return sides.length === 0 ? "" : `${sides.join(" and ")} left out: uncertain times`;
}

/** The reason in a note on latencies: "about 7 needed" of "can't tell: n = 5, about 7 needed". */
export function reasonText(note: string | null): string {
  return note === null ? "" : note.replace(/^can't tell: (?:n = [\d,]{1,20}, )?/, "");
}
