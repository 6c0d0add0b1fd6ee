import { type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { lowerBound } from "../../../engine/stats/lower-bound.ts";

/** The matches of a search in order, and the current match. */
export interface Matches {
  readonly starts: readonly number[];
  readonly length: number;
  /** Index in `starts`; -1: none. */
  readonly current: number;
}

export const NO_MATCHES: Matches = Object.freeze({ starts: Object.freeze([]), length: 0, current: -1 });

/** The positions of `needle` from `from` on, in any letter case, without overlaps. */
export function matchesIn(doc: Text, needle: string, from = 0): number[] {
  if (needle === "") return [];
  const literal = new RegExp(needle.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "gi");
  const starts: number[] = [];
  const text = doc.sliceString(from);
  while (literal.exec(text) !== null) starts.push(from + literal.lastIndex - needle.length);
  return starts;
}

export const showMatches = StateEffect.define<Matches>();

const shown = StateField.define<Matches>({
  create: () => NO_MATCHES,
  update: (value, { effects }) => effects.find((effect) => effect.is(showMatches))?.value ?? value,
});

const MATCH = Decoration.mark({ class: "body-match" });
const CURRENT = Decoration.mark({ class: "body-match is-current" });

export function matchMarks(): Extension {
  return [shown, ViewPlugin.fromClass(Marks, { decorations: ({ marks }) => marks })];
}

class Marks {
  marks: DecorationSet;

  constructor(view: EditorView) {
    this.marks = marksIn(view);
  }

  update({ view, startState, state, docChanged, viewportChanged, geometryChanged }: ViewUpdate): void {
    const differ = startState.field(shown) !== state.field(shown);
    if (differ || docChanged || viewportChanged || geometryChanged) this.marks = marksIn(view);
  }
}

function marksIn({ visibleRanges, state }: EditorView): DecorationSet {
  const { starts, length, current } = state.field(shown);
  const marks = new RangeSetBuilder<Decoration>();
  let next = 0;
  for (const { from, to } of visibleRanges) {
    next = Math.max(
      next,
      lowerBound(0, starts.length, (index) => (starts[index] ?? 0) > from - length),
    );
    for (let start = starts[next]; start !== undefined && start < to; start = starts[next]) {
      marks.add(start, start + length, next === current ? CURRENT : MATCH);
      next += 1;
    }
  }
  return marks.finish();
}
