import type { ExchangeFacts } from "./exchange-facts.ts";
import { fieldIn } from "./facts/field-values.ts";

/**
 * Whether a browser sent the request for itself: for accounts, updates, safe browsing or field trials. A page's
 * requests have a site as their cause, and only a user's navigations have none (Fetch Metadata, 2.2 and 2.3). Update
 * checks over plain HTTP carry the headers of Chromium's update client (Omaha protocol 3.1, HTTP Request).
 */
export function isBrowsersOwn({ requestFields }: ExchangeFacts): boolean {
  if (fieldIn(requestFields, "x-goog-update-appid") !== null) return true;
  return fieldIn(requestFields, "sec-fetch-site") === "none" && fieldIn(requestFields, "sec-fetch-mode") !== "navigate";
}
