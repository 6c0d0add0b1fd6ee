import type { ExchangeFacts } from "./exchange-facts.ts";
import { fieldIn } from "./facts/field-values.ts";

/**
 * Whether a browser sent the request for itself: for accounts, updates, safe browsing or field trials. A page's requests
 * have a site as their cause, and a user's have a document as their destination (Fetch Metadata, 2.1 and 2.3);
 * update checks over plain HTTP carry the headers of Chromium's update client (Omaha protocol 3.1, HTTP Request).
 */
export function isBrowsersOwn({ requestFields }: ExchangeFacts): boolean {
  if (fieldIn(requestFields, "x-goog-update-appid") !== null) return true;
  if (fieldIn(requestFields, "sec-fetch-site") !== "none" || fieldIn(requestFields, "referer") !== null) return false;
  return (
    fieldIn(requestFields, "sec-fetch-dest") === "empty" && fieldIn(requestFields, "sec-fetch-mode") !== "navigate"
  );
}
