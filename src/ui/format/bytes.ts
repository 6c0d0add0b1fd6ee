import type { Bytes } from "../../engine/model/units.ts";
import { countText, NO_FIGURE } from "./count.ts";

/** A size as number and unit, because the unit is styled separately. */
export interface BytesText {
  readonly value: string;
  readonly unit: string;
}

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const STEP = 1024;

/**
 * Formats a size in its largest fitting unit (1 KB = 1024 B). Bytes are whole numbers; other units have one decimal
 * below 100.
 */
export function bytesText(size: Bytes): BytesText {
  let value = size;
  let unit: (typeof UNITS)[number] = "B";
  for (const larger of UNITS.slice(1)) {
    if (value < STEP - 0.5) break;
    value /= STEP;
    unit = larger;
  }
  const whole = unit === "B" || value >= 99.95;
  return Object.freeze({ value: whole ? countText(Math.round(value)) : value.toFixed(1), unit });
}

/** `bytesText` for a size that may be unknown. */
export function bytesTextOrNone(size: Bytes | null): BytesText {
  return size === null ? NO_BYTES : bytesText(size);
}

const NO_BYTES: BytesText = Object.freeze({ value: NO_FIGURE, unit: "" });

/** A size as one phrase: "18.3 KB"; a placeholder for `null`. */
export function bytesPhrase(size: Bytes | null): string {
  if (size === null) return NO_FIGURE;
  const { value, unit } = bytesText(size);
  return `${value} ${unit}`;
}
