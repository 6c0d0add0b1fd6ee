import type { Exchange } from "../model/exchange.ts";

/**
 * The URL of an exchange. For `OPTIONS *` and tunnels, which address a server as a whole (RFC 9110, 7.1), only the
 * origin.
 */
export function urlOf(exchange: Pick<Exchange, "origin" | "target" | "tags">): string {
  const whole = exchange.target === "*" || exchange.tags.includes("tunnel");
  return whole ? exchange.origin : exchange.origin + exchange.target;
}
