import type { SearchHit, SearchPart } from "../../../engine/messages/session-messages.ts";
import { exactClockText } from "../../format/clock.ts";
import { countPhrase } from "../../format/count.ts";
import { isSafeMethod } from "../../format/method.ts";
import { hostBeside } from "../../format/request-address.ts";
import type { InspectorTab } from "../../state/selection.ts";

/** The most hits listed; the number of all hits is shown. */
const MOST_ROWS = 200;

/** The most characters shown before a hit, so that the hit stays visible. */
const BEFORE = 30;

/** An exchange that contains the text. All texts of the row are captured text. */
export type SearchRow = ReturnType<typeof searchRowOf>;

const PARTS: Readonly<Record<SearchPart, readonly [text: string, tab: InspectorTab]>> = {
  url: ["address", "overview"],
  "request-headers": ["request headers", "request"],
  "response-headers": ["response headers", "response"],
  "request-body": ["request body", "request"],
  "response-body": ["response body", "response"],
  message: ["message", "messages"],
};

/** The rows, with rows for the new hits at the end. */
export function withHits(rows: readonly SearchRow[], hits: readonly SearchHit[]): readonly SearchRow[] {
  return Object.freeze([...rows, ...hits.slice(0, Math.max(0, MOST_ROWS - rows.length)).map(searchRowOf)]);
}

export function searchRowOf(hit: SearchHit) {
  const { exchange, method, target, startTime, before, match, after } = hit;
  const [partName, tab] = PARTS[hit.part];
  return Object.freeze({
    key: exchange,
    method,
    changes: !isSafeMethod(method),
    path: target,
    host: hostBeside(hit),
    started: exactClockText(startTime),
    /** Where the text was found: "response body". */
    partName,
    /** The inspector's tab that shows the hit. */
    tab,
    /** The text before the hit, limited to the same line and to `BEFORE` characters. */
    before: endOf(before),
    match,
    after: after.split(LINE_END, 1)[0] ?? "",
  });
}

const LINE_END = /[\r\n]/;

function endOf(before: string): string {
  const line = before.split(LINE_END).at(-1) ?? "";
  return line.length > BEFORE ? `…${line.slice(-BEFORE)}` : line;
}

/**
 * "12 exchanges contain it.", "At least 1,000 exchanges contain it; the newest 200 are listed."; "" if there is no hit
 * yet.
 */
export function foundText(found: number, { done, cut }: { readonly done: boolean; readonly cut: boolean }): string {
  if (found === 0) return done ? "No exchange contains this text." : "";
  const all = countPhrase(found, "exchange contains it", "exchanges contain it");
  const listed = found > MOST_ROWS ? `; the newest ${MOST_ROWS} are listed` : "";
  return `${cut ? "At least " : ""}${all}${listed}.`;
}
