import type { Milliseconds } from "../../engine/model/units.ts";
import { countText } from "./count.ts";
import { durationText } from "./duration.ts";

/** A duration as number and unit, because the unit is styled separately. */
export interface LostTimeText {
  readonly value: string;
  readonly unit: string;
}

/** A sum of waiting times in the largest fitting unit: "840 ms", "41.2 s", "5 min 58 s". Latencies are always in ms. */
export function lostTimeText(length: Milliseconds): LostTimeText {
  if (length < 999.5) return Object.freeze({ value: durationText(length), unit: "ms" });
  if (length < 59_950) return Object.freeze({ value: (length / 1_000).toFixed(1), unit: "s" });
  const seconds = Math.round(length / 1_000);
  return Object.freeze({ value: `${countText(Math.floor(seconds / 60))} min ${seconds % 60}`, unit: "s" });
}

/** A sum of waiting times as one phrase. */
export function lostTimePhrase(length: Milliseconds): string {
  const { value, unit } = lostTimeText(length);
  return `${value} ${unit}`;
}
