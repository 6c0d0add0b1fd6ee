import { foldedAtFirst, segmentsOf, shownLines, unfoldedTo } from "./folded-lines.ts";
import { type JsonLine, jsonLinesOf } from "./json-lines.ts";
import { HEX_ROW, hexLineOf, type TextLine, textLinesOf } from "./plain-lines.ts";
import { type DrawnSegment, drawn, matchesIn, type Segment } from "./segments.ts";

/** A line as it is drawn. */
export interface BodyRow {
  readonly number: string;
  /** For :style: how far it is indented. */
  readonly indent: { readonly paddingLeft: string };
  readonly segments: readonly DrawnSegment[];
  readonly foldable: boolean;
  readonly foldIcon: string;
  readonly foldLabel: string;
  readonly folded: boolean;
  readonly current: boolean;
}

/** A body as lines to show and to search: pretty JSON, plain text or hex. Loaded when a body is first shown. */
export interface BodyText {
  readonly count: number;
  row(shown: number, needle: string, current: number | null): BodyRow | null;
  toggle(shown: number): void;
  /** Each match's line, in order: a line with two stands twice. `needle` in lower case. */
  find(needle: string): readonly number[];
  /** Makes a line of `find` show, and says as which row. */
  reveal(line: number): number;
}

/** `null`: the text is no JSON. */
export function prettyText(text: string): BodyText | null {
  const lines = jsonLinesOf(text);
  return lines === null ? null : new Pretty(lines);
}

export function rawText(text: string): BodyText {
  const lines = textLinesOf(text);
  return new Plain(lines.length, (index) => lines[index]);
}

export function hexText(bytes: Uint8Array): BodyText {
  return new Plain(Math.ceil(bytes.length / HEX_ROW), (index) => hexLineOf(bytes, index));
}

const NO_INDENT = Object.freeze({ paddingLeft: "0ch" });

class Plain implements BodyText {
  readonly count: number;
  readonly #lineAt: (index: number) => TextLine | undefined;

  constructor(count: number, lineAt: (index: number) => TextLine | undefined) {
    this.count = count;
    this.#lineAt = lineAt;
  }

  row(shown: number, needle: string, current: number | null): BodyRow | null {
    const line = this.#lineAt(shown);
    if (line === undefined || shown >= this.count) return null;
    return Object.freeze({
      number: line.number,
      indent: NO_INDENT,
      segments: drawn([{ text: line.text, kind: "plain" }], needle),
      foldable: false,
      foldIcon: "",
      foldLabel: "",
      folded: false,
      current: shown === current,
    });
  }

  toggle(): void {}

  find(needle: string): readonly number[] {
    return found(this.count, needle, (index) => [{ text: this.#lineAt(index)?.text ?? "", kind: "plain" }]);
  }

  reveal(line: number): number {
    return line;
  }
}

class Pretty implements BodyText {
  readonly #lines: readonly JsonLine[];
  #folded: ReadonlySet<number>;
  #shown: readonly number[];

  constructor(lines: readonly JsonLine[]) {
    this.#lines = lines;
    this.#folded = foldedAtFirst(lines);
    this.#shown = shownLines(lines, this.#folded);
  }

  get count(): number {
    return this.#shown.length;
  }

  row(shown: number, needle: string, current: number | null): BodyRow | null {
    const index = this.#shown[shown];
    const line = index === undefined ? undefined : this.#lines[index];
    if (index === undefined || line === undefined) return null;
    const folded = this.#folded.has(index);
    return Object.freeze({
      number: String(shown + 1),
      indent: Object.freeze({ paddingLeft: `${line.depth * 2}ch` }),
      segments: drawn(segmentsOf(this.#lines, index, folded), needle),
      foldable: line.closes !== null,
      foldIcon: folded ? "#icon-folded" : "#icon-unfolded",
      foldLabel: `${folded ? "Unfold" : "Fold"} line ${shown + 1}`,
      folded,
      current: index === current,
    });
  }

  toggle(shown: number): void {
    const index = this.#shown[shown];
    if (index === undefined) return;
    const folded = new Set(this.#folded);
    if (!folded.delete(index)) folded.add(index);
    this.#fold(folded);
  }

  find(needle: string): readonly number[] {
    return found(this.#lines.length, needle, (index) => this.#lines[index]?.segments ?? []);
  }

  reveal(line: number): number {
    this.#fold(unfoldedTo(this.#lines, this.#folded, line));
    return this.#shown.indexOf(line);
  }

  #fold(folded: ReadonlySet<number>): void {
    this.#folded = folded;
    this.#shown = shownLines(this.#lines, folded);
  }
}

function found(count: number, needle: string, segmentsAt: (index: number) => readonly Segment[]): readonly number[] {
  const lines: number[] = [];
  for (let index = 0; index < count; index += 1) {
    for (let left = matchesIn(segmentsAt(index), needle); left > 0; left -= 1) lines.push(index);
  }
  return lines;
}
