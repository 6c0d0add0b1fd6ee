import type { HeaderLine, RequestHead } from "./message.ts";

/** The methods for which Max-Forwards has a meaning (RFC 9110, 7.6.2). */
const COUNTED: ReadonlySet<string> = new Set(["OPTIONS", "TRACE"]);

/** Whether Max-Forwards forbids forwarding the request, so that Weir itself must respond. */
export function isAtItsEnd({ method, notable }: RequestHead): boolean {
  return COUNTED.has(method) && notable.some((line) => line.name === "max-forwards" && /^0+$/.test(line.value));
}

/** Max-Forwards for the next hop: one less, but at most the largest safe integer; `null` to leave it unchanged. */
export function forwardsLeft(method: string, { value }: HeaderLine): string | null {
  if (!COUNTED.has(method) || !/^\d+$/.test(value)) return null;
  return String(Math.min(Number(value), Number.MAX_SAFE_INTEGER) - 1);
}
