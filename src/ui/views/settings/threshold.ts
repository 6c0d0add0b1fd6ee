import { FIXED_THRESHOLD_BOUNDS } from "../../../engine/model/setting-rules.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { countText } from "../../format/count.ts";

/** What a field of the fixed threshold says: a value to set, or why it is none. */
export type ThresholdReading =
  | { readonly ok: true; readonly value: Milliseconds | null }
  | { readonly ok: false; readonly problem: string };

/** decisions.md, Fixed threshold: whole milliseconds, 1 to 600,000; empty = off; anything else is refused. */
export function readThreshold(text: string): ThresholdReading {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: true, value: null };
  const { least, most } = FIXED_THRESHOLD_BOUNDS;
  const value = Number(trimmed);
  if (!/^\d+$/.test(trimmed) || value < least || value > most) {
    return {
      ok: false,
      problem: `Give whole milliseconds from ${countText(least)} to ${countText(most)}, or leave it empty to turn it off.`,
    };
  }
  return { ok: true, value };
}
