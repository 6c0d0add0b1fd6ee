import type { Exchange } from "../model/exchange.ts";

/**
 * The URL of an exchange. For `OPTIONS *` and tunnels, which address a server as a whole (RFC 9110, 7.1), only the
 * origin; for a target that could not be parsed, the target as it came.
 */
export function urlOf(exchange: Pick<Exchange, "origin" | "target" | "tags">): string {
  if (exchange.tags.includes("malformed") && !/^[/*]/.test(exchange.target)) return exchange.target;
  const whole = exchange.target === "*" || exchange.tags.includes("tunnel");
  return whole ? exchange.origin : exchange.origin + exchange.target;
}
