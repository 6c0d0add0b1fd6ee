import { queryPairsOf } from "../../../engine/insights/facts/query-pairs.ts";
import { listOf, valuesOf } from "../../../engine/model/head.ts";
import { textOf } from "../../../engine/quoting/utf8.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { exactDurationText } from "../../format/duration.ts";
import { serverMetricsOf } from "./server-timing.ts";

/** A fact about an exchange: a caption and a value, as text. */
export type NamedValue = readonly [name: string, value: string];

const MOST_PARAMETERS = 12;
/** The most characters shown of a name or value. */
const LONGEST_VALUE = 300;

/** The first query parameters, decoded, in their order. */
export function queryFactsOf(target: string): readonly NamedValue[] {
  const pairs = queryPairsOf(target);
  const shown = pairs.slice(0, MOST_PARAMETERS).map(([name, value]): NamedValue => [cutValue(name), cutValue(value)]);
  return pairs.length === shown.length
    ? shown
    : [...shown, ["…", `and ${countText(pairs.length - shown.length)} more`]];
}

/**
 * The number of cookies in a head, and the total size of their header values: "3 cookies, 412 B"; `null` if there are
 * none.
 */
export function cookiesText(head: string | null, header: "cookie" | "set-cookie"): string | null {
  const values = head === null ? [] : valuesOf(head, header);
  if (values.length === 0) return null;
  const count =
    header === "set-cookie"
      ? values.length
      : values.reduce((sum, value) => sum + value.split(";").filter((pair) => pair.trim() !== "").length, 0);
  // A character of a head stands for one byte.
  const size = values.reduce((sum, value) => sum + value.length, 0);
  return `${countPhrase(count, "cookie", "cookies")}, ${bytesPhrase(size)}`;
}

/** Headers that control caching: of the request, and of the response. */
const REQUEST_NAMES = ["Cache-Control", "Pragma", "If-None-Match", "If-Modified-Since"];
const ANSWERED = ["Cache-Control", "Expires", "Age", "ETag", "Last-Modified", "Vary", "X-Cache", "CF-Cache-Status"];

/** The headers for caching that are present. If the response has none, a fact says so. */
export function cacheFactsOf(requestHead: string, responseHead: string | null): readonly NamedValue[] {
  const inRequest = presentOf(requestHead, REQUEST_NAMES).map(
    ([name, value]): NamedValue => [`${name} (request)`, value],
  );
  if (responseHead === null) return inRequest;
  const answered = presentOf(responseHead, ANSWERED);
  return [...inRequest, ...(answered.length === 0 ? [["Response", "no cache headers"] as const] : answered)];
}

function presentOf(head: string, names: readonly string[]): readonly NamedValue[] {
  return names.flatMap((name) => {
    const value = listOf(head, name.toLowerCase());
    return value === null ? [] : [[name, cutValue(textOf(value))] as const];
  });
}

/**
 * The metrics of the Server-Timing header: "db 53.2 ms, cache 2.0 ms". If no metric has a duration, the unchanged
 * header; `null` if there is no header.
 */
export function serverTimingText(responseHead: string | null): string | null {
  const header = responseHead === null ? null : listOf(responseHead, "server-timing");
  if (header === null) return null;
  const metrics = serverMetricsOf(header);
  const told = metrics.map(({ name, length }) => `${name} ${exactDurationText(length)} ms`);
  return cutValue(textOf(told.length === 0 ? header : told.join(", ")));
}

function cutValue(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
