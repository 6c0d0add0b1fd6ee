import type { JsonLine } from "./json-lines.ts";
import type { Segment } from "./segments.ts";

/** What is folded at first: objects and arrays this deep. Our choice. */
const FOLDED_FROM = 2;
/** A folded value no longer than this shows whole on its line. Our choice. */
const LONGEST_INLINE = 72;

/** Lines that open something deep, to begin with. */
export function foldedAtFirst(lines: readonly JsonLine[]): ReadonlySet<number> {
  const folded = new Set<number>();
  for (const [index, line] of lines.entries()) if (line.closes !== null && line.depth >= FOLDED_FROM) folded.add(index);
  return folded;
}

/** Indices of the lines that show, in order. */
export function shownLines(lines: readonly JsonLine[], folded: ReadonlySet<number>): readonly number[] {
  const shown: number[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    shown.push(index);
    const closes = lines[index]?.closes ?? null;
    if (closes !== null && folded.has(index)) index = closes;
  }
  return shown;
}

/** What a line shows: a folded one also what is in it (or how much), and its end. */
export function segmentsOf(lines: readonly JsonLine[], index: number, folded: boolean): readonly Segment[] {
  const line = lines[index];
  if (line === undefined) return [];
  if (!folded || line.closes === null) return line.segments;
  const end = lines[line.closes]?.segments ?? [];
  return [...line.segments, space, ...inside(lines, index, line.closes, line.holds), space, ...end];
}

const space: Segment = Object.freeze({ text: " ", kind: "plain" });

function inside(lines: readonly JsonLine[], from: number, to: number, holds: string): readonly Segment[] {
  const segments: Segment[] = [];
  let length = 0;
  for (let index = from + 1; index < to; index += 1) {
    const line = lines[index];
    if (line === undefined || line.closes !== null) return [{ text: holds, kind: "note" }];
    if (segments.length > 0) segments.push(space);
    for (const segment of line.segments) {
      length += segment.text.length;
      segments.push(segment);
    }
    if (length > LONGEST_INLINE) return [{ text: holds, kind: "note" }];
  }
  return segments;
}

/** `folded` without the lines that hide line `index`. */
export function unfoldedTo(
  lines: readonly JsonLine[],
  folded: ReadonlySet<number>,
  index: number,
): ReadonlySet<number> {
  const open = new Set(folded);
  for (let at = lines[index]?.parent ?? null; at !== null; at = lines[at]?.parent ?? null) open.delete(at);
  return open;
}
