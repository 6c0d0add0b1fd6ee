import type { HeaderField } from "../../model/head.ts";
import type { Milliseconds } from "../../model/units.ts";
import { fieldIn } from "../facts/field-values.ts";

/**
 * How long a response asks its client to wait (RFC 9110, 10.2.3): seconds, or a date relative to the response's Date;
 * `null` if it does not ask.
 */
export function retryDelayOf(fields: readonly HeaderField[]): Milliseconds | null {
  const value = fieldIn(fields, "retry-after")?.trim() ?? "";
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const [until, now] = [httpTimeOf(value), httpTimeOf(fieldIn(fields, "date") ?? "")];
  return until === null || now === null ? null : Math.max(0, until - now);
}

/** Milliseconds since 1970 of an IMF-fixdate (RFC 9110, 5.6.7); `null` for any other text. */
function httpTimeOf(text: string): number | null {
  const isDate = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text.trim());
  const time = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
