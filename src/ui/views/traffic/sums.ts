import type { PickedSums } from "../../../engine/messages/traffic-messages.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";

/** A figure of the line of sums between the words before and after it. */
export interface SumItem {
  readonly before: string;
  readonly figure: string;
  readonly after: string;
}

/** What several rows come to; nothing is said of one, which says it itself. */
export function sumItemsOf(sums: PickedSums | null): readonly SumItem[] {
  if (sums === null || sums.count < 2) return Object.freeze([]);
  const { count, errors, bytes, p50, p95, longest } = sums;
  const latencies = [
    { before: "p50 ", length: p50 },
    { before: "p95 ", length: p95 },
    { before: "max ", length: longest },
  ];
  return Object.freeze([
    { before: "", figure: countText(count), after: " selected" },
    { before: "", figure: bytesPhrase(bytes), after: "" },
    ...latencies.flatMap(({ before, length }) =>
      length === null ? [] : [{ before, figure: durationText(length), after: " ms" }],
    ),
    { before: "", figure: countText(errors), after: errors === 1 ? " error" : " errors" },
  ]);
}
