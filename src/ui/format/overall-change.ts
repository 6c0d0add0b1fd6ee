import { partsOf } from "../../engine/model/endpoint.ts";
import type { OverallChange } from "../../engine/model/findings.ts";
import { lostTimePhrase } from "./lost-time.ts";

/** Whether the session is slower than its baseline, in one sentence for all endpoints together. */
export function overallText({ before, change, most, untold, endpoints }: OverallChange): string {
  if (most === null)
    return untold === endpoints
      ? "Can’t tell whether it became slower: too few requests."
      : unchanged(untold, endpoints);
  const share = Math.abs(change) / before;
  const percent = share < 0.01 ? "less than 1" : String(Math.round(100 * share));
  const { method, path } = partsOf(most.endpoint);
  const times = `${lostTimePhrase(before + change)} instead of ${lostTimePhrase(before)}`;
  const part = `${lostTimePhrase(Math.abs(most.change))} of it at ${method} ${path}`;
  return change > 0
    ? `Slower: requests took ${percent} % longer in all (${times}), ${part}.`
    : `Faster: requests took ${percent} % less in all (${times}), ${part}.`;
}

function unchanged(untold: number, endpoints: number): string {
  const rest = untold === 0 ? "" : ` For ${untold} of ${endpoints} endpoints the requests are too few to tell.`;
  return `No endpoint became slower or faster.${rest}`;
}
