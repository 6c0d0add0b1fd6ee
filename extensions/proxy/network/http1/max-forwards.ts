import type { HeaderLine, RequestHead } from "./message.ts";

/** RFC 9110, 7.6.2: has no meaning in other requests. */
const COUNTED: ReadonlySet<string> = new Set(["OPTIONS", "TRACE"]);

/** Whether the request may not be forwarded further: its recipient responds itself. */
export function isAtItsEnd({ method, notable }: RequestHead): boolean {
  return COUNTED.has(method) && notable.some((line) => line.name === "max-forwards" && /^0+$/.test(line.value));
}

/** The value for the next hop: one less, or the largest safe integer; `null`: unchanged. */
export function forwardsLeft(method: string, { value }: HeaderLine): string | null {
  if (!COUNTED.has(method) || !/^\d+$/.test(value)) return null;
  return String(Math.min(Number(value), Number.MAX_SAFE_INTEGER) - 1);
}
