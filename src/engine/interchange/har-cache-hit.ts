import { lengthOf } from "./har-timings.ts";
import type { JsonValue } from "./json-value.ts";

/**
 * Whether a browser's cache or a service worker gave the response instead of a server. Reads fields of Chrome
 * (`_fromCache`, `_transferSize`, `_fetchedViaServiceWorker`), Firefox (`cache`, or zeros alone) and Safari
 * (`_fetchType`).
 */
export function isCacheHit(entry: JsonValue): boolean {
  const response = entry.at("response");
  if (entry.at("_fromCache").boolean === true || (entry.at("_fromCache").text ?? "") !== "") return true;
  for (const holder of [entry, response]) if (holder.at("_fetchedViaServiceWorker").boolean === true) return true;
  if (/^(?:memory cache|disk cache|service worker)$/i.test(entry.at("_fetchType").text ?? "")) return true;
  const hasWaited = (lengthOf(entry.at("timings").at("wait")) ?? 0) > 0;
  if (response.at("_transferSize").numeric === 0 && !hasWaited) return true;
  if (hasOnlyZeros(entry)) return true;
  // HAR 1.2, cache: `null` means that the cache did not have the resource before.
  if (entry.at("cache").isNull("beforeRequest")) return false;
  return entry.at("cache").has("afterRequest") && !(hasWaited && isTransferred(entry));
}

/** Whether no time passed and no server is known, which is all that Firefox writes of a cache hit. */
function hasOnlyZeros(entry: JsonValue): boolean {
  const timings = entry.at("timings");
  const hasSource = (entry.at("serverIPAddress").text ?? "") !== "";
  const hasHead = (lengthOf(entry.at("response").at("headersSize")) ?? 0) > 0;
  const isAtOnce = entry.at("time").numeric === 0 && timings.at("wait").numeric === 0;
  const others = ["blocked", "dns", "connect", "ssl", "send", "receive"] as const;
  return isAtOnce && !hasSource && !hasHead && others.every((name) => timings.at(name).numeric === 0);
}

/**
 * Whether the response came from a server: it has a size, and the entry has the server's address. Some tools write
 * `cache.afterRequest` (HAR 1.2, cache) for such responses, too.
 */
function isTransferred(entry: JsonValue): boolean {
  return (lengthOf(entry.at("response").at("bodySize")) ?? 0) > 0 && (entry.at("serverIPAddress").text ?? "") !== "";
}
