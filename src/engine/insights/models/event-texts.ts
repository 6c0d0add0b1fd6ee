import { JsonElements } from "../../model/json.ts";

/** The most events that are read of one response. */
const MOST_EVENTS = 100_000;

/** The data of each event of an event stream (WHATWG HTML, 9.2.6); an event without data is no event. */
export function dataOfEvents(text: string): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of linesOf(text)) {
    if (line === "") {
      if (data.length > 0) events.push(data.join("\n"));
      data = [];
      if (events.length >= MOST_EVENTS) return events;
    } else if (line === "data") data.push("");
    else if (line.startsWith("data:")) data.push(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5));
  }
  return events;
}

/** The lines of NDJSON that are not empty. */
export function linesOfJson(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    if (line.trim() !== "") lines.push(line);
    if (lines.length >= MOST_EVENTS) break;
  }
  return lines;
}

/** The objects of one JSON list; a last one that is cut off is none. */
export function elementsOfJson(text: string): readonly string[] {
  const elements = new JsonElements();
  const events: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length && events.length < MOST_EVENTS; at += 1) {
    const edge = elements.take(text.charCodeAt(at));
    if (edge === "first") from = at;
    if (edge === "last") events.push(text.slice(from, at + 1));
  }
  return events;
}

/** The lines, which end with CR LF, LF or CR. What follows the last end is a line if it is not empty. */
function* linesOf(text: string): Generator<string, void, undefined> {
  const ends = /\r\n|\n|\r/g;
  let from = text.startsWith("\ufeff") ? 1 : 0;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(from, end.index);
    from = ends.lastIndex;
  }
  if (from < text.length) yield text.slice(from);
}
