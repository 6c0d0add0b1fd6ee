import { isAbbreviated } from "../model/endpoint.ts";
import type { Exchange } from "../model/exchange.ts";
import { textOfLatin1 } from "../quoting/utf8.ts";

/**
 * The exchange with its whole target, which only storage keeps if it is long. `stored`: `target` in latin1; `null` if
 * the exchange is no longer stored, and the target stays abbreviated.
 */
export function withWholeTarget(exchange: Exchange, stored: { readonly target: string } | null): Exchange {
  if (stored === null || !isAbbreviated(exchange.target)) return exchange;
  return Object.freeze({ ...exchange, target: textOfLatin1(stored.target) });
}
