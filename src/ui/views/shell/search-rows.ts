import type { SearchHit, SearchPlace } from "../../../engine/messages/session-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { exactClockText } from "../../format/clock.ts";
import { countPhrase } from "../../format/count.ts";
import { isSafeMethod } from "../../format/method.ts";
import { hostBeside } from "../../format/request-address.ts";
import type { InspectorTab } from "../../state/selection.ts";

/** Finds that are listed; how many there are is told. Our choice. */
const MOST_ROWS = 200;

/** Characters before a find: more would push it out of sight. Our choice. */
const BEFORE = 30;

/** One exchange that holds the text. All of it is captured text. */
export interface SearchRow {
  readonly key: ExchangeId;
  readonly method: string;
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
  readonly started: string;
  /** "response body". */
  readonly place: string;
  /** Where the inspector shows it. */
  readonly tab: InspectorTab;
  /** Of its line only. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

const PLACES: Readonly<Record<SearchPlace, readonly [text: string, tab: InspectorTab]>> = {
  url: ["address", "overview"],
  "request-headers": ["request headers", "request"],
  "response-headers": ["response headers", "response"],
  "request-body": ["request body", "request"],
  "response-body": ["response body", "response"],
  message: ["message", "messages"],
};

/** The rows of what was found so far, and of what has been found since. */
export function withHits(rows: readonly SearchRow[], hits: readonly SearchHit[]): readonly SearchRow[] {
  return Object.freeze([...rows, ...hits.slice(0, Math.max(0, MOST_ROWS - rows.length)).map(searchRowOf)]);
}

export function searchRowOf(hit: SearchHit): SearchRow {
  const { exchange, method, target, startTime, before, match, after } = hit;
  const [place, tab] = PLACES[hit.place];
  return Object.freeze({
    key: exchange,
    method,
    changes: !isSafeMethod(method),
    path: target,
    host: hostBeside(hit),
    started: exactClockText(startTime),
    place,
    tab,
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

/** "12 exchanges hold it.", "At least 1,000 exchanges hold it; the newest 200 are listed."; "": none so far. */
export function foundText(found: number, { done, cut }: { readonly done: boolean; readonly cut: boolean }): string {
  if (found === 0) return done ? "Nothing that was captured holds it." : "";
  const all = countPhrase(found, "exchange holds it", "exchanges hold it");
  const listed = found > MOST_ROWS ? `; the newest ${MOST_ROWS} are listed` : "";
  return `${cut ? "At least " : ""}${all}${listed}.`;
}
