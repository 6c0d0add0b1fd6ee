import type { HeaderLine, RequestHead } from "./message.ts";

/** RFC 9110, 7.6.2: in other requests it means nothing. */
const COUNTED: ReadonlySet<string> = new Set(["OPTIONS", "TRACE"]);

/** Whether a request has come as far as it may: who is asked to forward it answers instead. */
export function isAtItsEnd({ method, notable }: RequestHead): boolean {
  return COUNTED.has(method) && notable.some((line) => line.name === "max-forwards" && /^0+$/.test(line.value));
}

/** The value for the next hop: one less, or the most that we can count. `null`: as it came. */
export function forwardsLeft(method: string, { value }: HeaderLine): string | null {
  if (!COUNTED.has(method) || !/^\d+$/.test(value)) return null;
  return String(Math.min(Number(value), Number.MAX_SAFE_INTEGER) - 1);
}
