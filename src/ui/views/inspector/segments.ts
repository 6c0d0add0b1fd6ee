/** How a piece of a line is coloured. */
export type SegmentKind = "plain" | "key" | "string" | "number" | "note";

/** A piece of a line of one kind. */
export interface Segment {
  readonly text: string;
  readonly kind: SegmentKind;
}

/** The same as it is drawn: cut at the matches of the search. */
export interface DrawnSegment {
  readonly text: string;
  readonly colour: string;
  readonly match: boolean;
}

const COLOURS: Readonly<Record<SegmentKind, string>> = {
  plain: "",
  key: "text-json-key",
  string: "text-json-string",
  number: "text-json-number",
  note: "body-note",
};

/** Cuts segments where `needle` (lower case) begins and ends. */
export function drawn(segments: readonly Segment[], needle: string): readonly DrawnSegment[] {
  return Object.freeze(segments.flatMap((segment) => cut(segment, needle)));
}

function cut({ text, kind }: Segment, needle: string): DrawnSegment[] {
  const colour = COLOURS[kind];
  const parts: DrawnSegment[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (let at = matchAt(lower, needle, 0); at >= 0; at = matchAt(lower, needle, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), colour, match: false });
    from = at + needle.length;
    parts.push({ text: text.slice(at, from), colour, match: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), colour, match: false });
  return parts;
}

/** How often `needle` (lower case) stands in a line. */
export function matchesIn(segments: readonly Segment[], needle: string): number {
  let count = 0;
  for (const { text } of segments) {
    const lower = text.toLowerCase();
    for (let at = matchAt(lower, needle, 0); at >= 0; at = matchAt(lower, needle, at + needle.length)) count += 1;
  }
  return count;
}

function matchAt(text: string, needle: string, from: number): number {
  return needle === "" ? -1 : text.indexOf(needle, from);
}
