import type { PageDescribed } from "../capture/event.ts";
import type { Milliseconds } from "../model/units.ts";
import { startOf } from "./date-time.ts";
import { lengthOf } from "./har-timings.ts";
import { JsonValue } from "./json-value.ts";

/** The most characters kept of a page's id and title, and of the name of a mark; the most marks of a page. */
export const LONGEST_PAGE = 256;
const LONGEST_TITLE = 1_024;
const LONGEST_NAME = 64;
const MOST_MARKS = 32;

/**
 * A page of `log.pages`; `null` if it has no id. Its marks are the times of `pageTimings`, and the paints that
 * WebPageTest writes beside them.
 */
export function pageDescribedIn(page: unknown): PageDescribed | null {
  const value = new JsonValue(page);
  const id = value.at("id").text ?? "";
  if (id === "") return null;
  const marks = new Map<string, Milliseconds>();
  const timings = value.at("pageTimings");
  const paints = value.names.filter((name) => /^_(?:first|largest)\w*Paint$/i.test(name));
  for (const [holder, names] of [
    [timings, timings.names.filter((name) => /^(?:_|onContentLoad$|onLoad$)/.test(name))],
    [value, paints],
  ] as const) {
    for (const name of names) {
      const time = lengthOf(holder.at(name));
      if (time !== null && name.length <= LONGEST_NAME && marks.size < MOST_MARKS) marks.set(name, time);
    }
  }
  return Object.freeze({
    type: "page-described",
    page: id.slice(0, LONGEST_PAGE),
    title: (value.at("title").text ?? "").slice(0, LONGEST_TITLE),
    at: startOf(value.at("startedDateTime")),
    marks,
  });
}
