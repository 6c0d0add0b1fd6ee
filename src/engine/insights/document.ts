import { statusOf } from "../model/exchange.ts";
import type { ExchangeFacts } from "./exchange-facts.ts";
import { fieldIn } from "./facts/field-values.ts";
import { memoized } from "./memoized.ts";

/**
 * Whether the exchange is a page's document: by Fetch Metadata, 2.1 and 2.2, where a service worker that passes a
 * navigation on has an empty destination; without these headers, if it is an HTML response to a GET for which the
 * client asked as browsers do, or such a GET's 304, which has no content and need not name its type (RFC 9110, 15.4.5).
 */
export function isDocument({ exchange, requestFields }: ExchangeFacts): boolean {
  const destination = fieldIn(requestFields, "sec-fetch-dest");
  if (destination === "empty") return fieldIn(requestFields, "sec-fetch-mode") === "navigate";
  if (destination !== null) return destination === "document";
  if (exchange.method !== "GET") return false;
  if (exchange.contentType === null)
    return statusOf(exchange.outcome) === 304 && /html/i.test(fieldIn(requestFields, "accept") ?? "");
  if (!isPageType(exchange.contentType)) return false;
  const accept = fieldIn(requestFields, "accept");
  if (accept === null || /html/i.test(accept)) return true;
  // A script or style sheet that is missing comes as HTML too, but a page asks for it, and says so.
  return accept === "*/*" && fieldIn(requestFields, "referer") === null;
}

const isPageType = memoized((type) => /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type));
