import type { Exchange } from "../model/exchange.ts";

/**
 * The URL of an exchange. `OPTIONS *`, tunnels and a refused CONNECT address a server as a whole (RFC 9110, 7.1), so
 * their URL is the origin. A target that could not be parsed is returned unchanged.
 */
export function urlOf(exchange: Pick<Exchange, "origin" | "target" | "tags">): string {
  if (exchange.tags.includes("malformed") && !/^[/*]/.test(exchange.target)) return exchange.target;
  const whole = !exchange.target.startsWith("/") || exchange.tags.includes("tunnel");
  return whole ? exchange.origin : exchange.origin + exchange.target;
}
