import type { Exchange } from "../model/exchange.ts";

/** The URL an exchange asked for. `OPTIONS *` and a tunnel ask for a server as a whole (RFC 9110, 7.1): its origin alone. */
export function urlOf(exchange: Pick<Exchange, "origin" | "target" | "tags">): string {
  const whole = exchange.target === "*" || exchange.tags.includes("tunnel");
  return whole ? exchange.origin : exchange.origin + exchange.target;
}
