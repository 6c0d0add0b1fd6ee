import type { Redact } from "./nested.ts";

/**
 * The text of an event stream (WHATWG HTML, 9.2.6) without secrets. Joins an event's data lines, since JSON may span
 * several of them.
 */
export function redactedEvents(text: string, redact: Redact): string {
  return text
    .split(EVENT_END)
    .map((event) => redactedEvent(event, redact))
    .join("");
}

/** Matches after the empty line that ends an event. */
const EVENT_END = /(?<=\r\n\r\n|\n\n|\r\r)/;

function redactedEvent(event: string, redact: Redact): string {
  const lines = event.split(/(?<=\n|\r(?!\n))/);
  const data = lines.filter((line) => DATA.test(line)).map(dataOf);
  const whole = data.join("\n");
  const redacted = redact(whole);
  if (redacted === whole) return lines.map((line) => (DATA.test(line) ? line : redact(line))).join("");
  const first = lines.findIndex((line) => DATA.test(line));
  const [end = "\n"] = /[\r\n]{1,2}$/.exec(lines[first] ?? "") ?? [];
  const written = redacted.split("\n").map((line) => `data: ${line}${end}`);
  return lines
    .flatMap((line, place) => {
      if (place === first) return written;
      return DATA.test(line) ? [] : [redact(line)];
    })
    .join("");
}

const DATA = /^data:/;

/** A line's data: the line without “data:”, without one space after that, and without the line end. */
function dataOf(line: string): string {
  return line.replace(/^data: ?/, "").replace(/[\r\n]{1,2}$/, "");
}
