import type { Segment, SegmentKind } from "./segments.ts";

/** A line of a pretty-printed document. */
export interface JsonLine {
  readonly depth: number;
  readonly segments: readonly Segment[];
  /** Where this line opens an object or array: the line that closes it. */
  readonly closes: number | null;
  /** The line that opened what this line stands in; `null` at the top. */
  readonly parent: number | null;
  /** What is within, where it opens one: "3 objects". */
  readonly holds: string;
}

/** RFC 8259's tokens. Numbers and strings keep the text they had: no precision, order or duplicate is lost. */
const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([{}[\],:]))/y;

interface Opened {
  readonly line: number;
  readonly array: boolean;
  children: number;
  objects: number;
}

interface Draft {
  depth: number;
  segments: Segment[];
  closes: number | null;
  parent: number | null;
  holds: string;
}

/** Pretty-prints JSON text; `null` if it is none (cut short, say). */
export function jsonLinesOf(text: string): readonly JsonLine[] | null {
  const lines: Draft[] = [];
  const open: Opened[] = [];
  let line = begin(lines, open);
  let keyNext = false;
  let finished = false;
  TOKEN.lastIndex = 0;
  while (true) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (token === null) return finished && text.slice(at).trim() === "" ? lines : null;
    if (finished) return null;
    const [, string, number, word, mark] = token;
    const inside = open.at(-1);
    if (mark === "{" || mark === "[") {
      add(line, mark, "plain");
      if (inside !== undefined) {
        inside.children += 1;
        inside.objects += 1;
      }
      open.push({ line: lines.length - 1, array: mark === "[", children: 0, objects: 0 });
      keyNext = mark === "{";
      line = begin(lines, open);
    } else if (mark === "}" || mark === "]") {
      const opened = open.pop();
      if (opened === undefined || opened.array !== (mark === "]")) return null;
      line = close(lines, open, opened, mark);
      keyNext = false;
      finished = open.length === 0;
    } else if (mark === ",") {
      if (inside === undefined) return null;
      add(line, ",", "plain");
      keyNext = !inside.array;
      line = begin(lines, open);
    } else if (mark === ":") {
      add(line, ": ", "plain");
      keyNext = false;
    } else {
      const key = string !== undefined && keyNext;
      add(line, string ?? number ?? word ?? "", kindOf(string, key));
      if (inside !== undefined && !key) inside.children += 1;
      finished = inside === undefined;
    }
  }
}

function kindOf(string: string | undefined, key: boolean): SegmentKind {
  if (key) return "key";
  return string === undefined ? "number" : "string";
}

function add(line: Draft, text: string, kind: SegmentKind): void {
  line.segments.push({ text, kind });
}

function begin(lines: Draft[], open: readonly Opened[]): Draft {
  const line: Draft = { depth: open.length, segments: [], closes: null, parent: open.at(-1)?.line ?? null, holds: "" };
  lines.push(line);
  return line;
}

/** Closes on a line of its own; an empty object or array on the line that opened it. */
function close(lines: Draft[], open: readonly Opened[], opened: Opened, mark: string): Draft {
  const first = lines[opened.line];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) throw new Error("what was opened has no line");
  if (opened.children === 0 && last.segments.length === 0) {
    lines.pop();
    add(first, mark, "plain");
    return first;
  }
  const line = begin(lines, open);
  add(line, mark, "plain");
  first.closes = lines.length - 1;
  first.holds = holdsText(opened);
  return line;
}

function holdsText({ array, children, objects }: Opened): string {
  if (!array) return `${children} ${children === 1 ? "member" : "members"}`;
  const noun = objects === children ? "object" : "value";
  return `${children} ${noun}${children === 1 ? "" : "s"}`;
}
