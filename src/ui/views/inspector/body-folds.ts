import { type EditorState, type Extension, type Range, StateEffect, StateField, type Text } from "@codemirror/state";
import {
  type BlockInfo,
  Decoration,
  type DecorationSet,
  EditorView,
  type GutterMarker,
  gutter,
  keymap,
} from "@codemirror/view";
import { lowerBound } from "../../../engine/stats/lower-bound.ts";
import { FOLDED, Note, UNFOLDED } from "./body-fold-marks.ts";
import { type Fold, holdingOf } from "./pretty-json.ts";

/** From this depth on, objects and arrays are folded at first. */
const FOLDED_FROM = 2;

interface Folding {
  readonly folds: readonly Fold[];
  /** For each fold, 1 if it is folded, else 0. A fold inside a folded one keeps its own value. */
  readonly folded: Uint8Array;
  /** The hidden ranges. A short fold hides its line breaks and indentation; any other fold hides its whole content. */
  readonly hidden: DecorationSet;
}

const refold = StateEffect.define<Folding>();

const folding = StateField.define<Folding>({
  create: () => ({ folds: [], folded: new Uint8Array(), hidden: Decoration.none }),
  update: (value, { effects }) => effects.find((effect) => effect.is(refold))?.value ?? value,
  provide: (field) => [
    EditorView.decorations.from(field, ({ hidden }) => hidden),
    EditorView.atomicRanges.of(({ state }) => state.field(field).hidden),
  ],
});

/** Makes parts of a document foldable, with the mouse beside the lines and by keyboard. */
export function foldable(): Extension {
  return [
    folding,
    gutter({
      class: "body-folds",
      lineMarker: ({ state }, line) => markerOf(state, line),
      lineMarkerChange: ({ startState, state }) => startState.field(folding) !== state.field(folding),
      initialSpacer: () => UNFOLDED,
      domEventHandlers: { mousedown: (view, line) => toggle(view, openedIn(view.state, line)) },
    }),
    EditorView.domEventHandlers({
      mousedown: ({ target }, view) =>
        target instanceof HTMLElement &&
        target.classList.contains("body-note") &&
        toggle(view, innermost(view.state.field(folding).folds, view.posAtDOM(target))),
    }),
    keymap.of([
      { key: "Enter", run: (view) => toggle(view, openedIn(view.state, lineOf(view))) },
      { key: "Ctrl-Shift-[", mac: "Cmd-Alt-[", run: foldAround },
      { key: "Ctrl-Shift-]", mac: "Cmd-Alt-]", run: unfoldHere },
      { key: "Ctrl-Alt-[", run: (view) => refoldAll(view, ({ depth }) => depth > 0) },
      { key: "Ctrl-Alt-]", run: (view) => refoldAll(view, () => false) },
    ]),
  ];
}

/** The folds of a document that is inserted in pieces. Folds with a depth of at least `FOLDED_FROM` are folded. */
export class InsertedFolds {
  readonly #folds: readonly Fold[];
  readonly #folded: Uint8Array;
  readonly #ranges: Iterator<Range<Decoration>, void, undefined>;
  /** The next hidden range, which ends in a later piece; `null` if there is none. */
  #next: Range<Decoration> | null;
  #hidden: DecorationSet = Decoration.none;

  /** `whole`: the complete text. */
  constructor(folds: readonly Fold[], whole: Text) {
    this.#folds = folds;
    this.#folded = Uint8Array.from(folds, ({ depth }) => Number(depth >= FOLDED_FROM));
    this.#ranges = hiddenIn(whole, folds, this.#folded);
    this.#next = this.#ranges.next().value ?? null;
  }

  /** The effect that sets the folds, and hides those ranges that end at `end` or before. */
  until(end: number): StateEffect<unknown> {
    const add: Range<Decoration>[] = [];
    while (this.#next !== null && this.#next.to <= end) {
      add.push(this.#next);
      this.#next = this.#ranges.next().value ?? null;
    }
    this.#hidden = this.#hidden.update({ add });
    return refold.of({ folds: this.#folds, folded: this.#folded, hidden: this.#hidden });
  }
}

/** Unfolds all ranges that hide the position. */
export function unfoldTo(view: EditorView, at: number): void {
  const now = view.state.field(folding, false);
  if (now === undefined) return;
  const around: number[] = [];
  for (let index = innermost(now.folds, at); index !== null; index = now.folds[index]?.parent ?? null) {
    // A short fold stays readable when folded.
    if (now.folded[index] === 1 && now.folds[index]?.isShort === false) around.push(index);
  }
  if (around.length > 0) refoldThese(view, around, false);
}

// ---- finding folds ----------------------------------------------------------------------------------------------

/** Index of the innermost fold around a position; `null` if there is none. */
function innermost(folds: readonly Fold[], at: number): number | null {
  let index: number | null = firstFold(folds, at + 1) - 1;
  if (index < 0) return null;
  while (index !== null && (folds[index]?.to ?? 0) < at) index = folds[index]?.parent ?? null;
  return index;
}

/** Index of the first fold that begins on a line; `null` if there is none. */
function openedIn(state: EditorState, line: Pick<BlockInfo, "from" | "to">): number | null {
  const { folds } = state.field(folding);
  const index = firstFold(folds, line.from);
  return (folds[index]?.from ?? Number.POSITIVE_INFINITY) <= line.to ? index : null;
}

/** Index of the first fold that begins at `from` or later. */
function firstFold(folds: readonly Fold[], from: number): number {
  return lowerBound(0, folds.length, (index) => (folds[index]?.from ?? 0) >= from);
}

function lineOf(view: EditorView): BlockInfo {
  return view.lineBlockAt(view.state.selection.main.head);
}

// ---- folding ----------------------------------------------------------------------------------------------------

function toggle(view: EditorView, index: number | null): boolean {
  if (index === null) return false;
  refoldThese(view, [index], view.state.field(folding).folded[index] === 0);
  return true;
}

/**
 * Folds the range that starts on the line of the caret, else the range around the caret. If this range is folded
 * already, folds the next unfolded range around it.
 */
function foldAround(view: EditorView): boolean {
  const { folds, folded } = view.state.field(folding);
  let index = openedIn(view.state, lineOf(view)) ?? innermost(folds, view.state.selection.main.head);
  while (index !== null && folded[index] === 1) index = folds[index]?.parent ?? null;
  return index !== null && toggle(view, index);
}

function unfoldHere(view: EditorView): boolean {
  const index = openedIn(view.state, lineOf(view));
  return index !== null && view.state.field(folding).folded[index] === 1 && toggle(view, index);
}

/**
 * Folds or unfolds nested ranges; the last of `indices` is the outermost range. Rebuilds only the decorations within
 * the outermost range.
 */
function refoldThese(view: EditorView, indices: readonly number[], isFolded: boolean): void {
  const { state } = view;
  const { folds, folded, hidden } = state.field(folding);
  const first = indices.at(-1) ?? 0;
  const outermost = folds[first];
  if (outermost === undefined) return;
  const changed = folded.slice();
  for (const index of indices) changed[index] = Number(isFolded);
  const { from, to } = outermost;
  const add = [...hiddenIn(state.doc, folds, changed, first, firstFold(folds, to))];
  apply(view, {
    folds,
    folded: changed,
    hidden: hidden.update({ filterFrom: from, filterTo: to, filter: () => false, add }),
  });
  const line = state.doc.lineAt(from).number;
  view.dispatch({ effects: EditorView.announce.of(`${isFolded ? "Folded" : "Unfolded"} line ${line}.`) });
}

function refoldAll(view: EditorView, isFolded: (fold: Fold) => boolean): boolean {
  const { folds } = view.state.field(folding);
  const folded = Uint8Array.from(folds, (fold) => Number(isFolded(fold)));
  apply(view, { folds, folded, hidden: Decoration.set([...hiddenIn(view.state.doc, folds, folded)]) });
  return true;
}

/** Applies a folding. A caret within a hidden range moves to the start of the range. */
function apply(view: EditorView, next: Folding): void {
  const { head } = view.state.selection.main;
  let anchor = head;
  next.hidden.between(head, head, (from, to) => {
    if (from < head && head < to) anchor = from;
  });
  view.dispatch({ effects: refold.of(next), ...(anchor === head ? {} : { selection: { anchor } }) });
}

// ---- decorations ------------------------------------------------------------------------------------------------

/**
 * The ranges hidden by the folds with an index from `first` to below `end`. A range within another hidden range is
 * omitted.
 */
function* hiddenIn(
  doc: Text,
  folds: readonly Fold[],
  folded: Uint8Array,
  first = 0,
  end = folds.length,
): Generator<Range<Decoration>, void, undefined> {
  for (let index = first; index < end; index += 1) {
    const fold = folds[index];
    if (fold === undefined || folded[index] === 0) continue;
    if (fold.isShort) {
      yield* breaksOf(doc, fold);
    } else {
      yield Decoration.replace({ widget: new Note(holdingOf(fold)) }).range(fold.from, fold.to);
      while ((folds[index + 1]?.from ?? Number.POSITIVE_INFINITY) < fold.to) index += 1;
    }
  }
}

const GONE = Decoration.replace({});

/** The ranges that a short fold hides: each line break with the indentation after it, except the last space. */
function breaksOf(doc: Text, { from, to, depth }: Fold): readonly Range<Decoration>[] {
  const text = doc.sliceString(from, to);
  const breaks: Range<Decoration>[] = [];
  for (let at = 0; at >= 0; at = text.indexOf("\n", at + 1)) {
    const isLast = text.length - at <= 1 + 2 * depth;
    const indentation = 2 * (isLast ? depth : depth + 1);
    breaks.push(GONE.range(from + at, from + at + Math.max(1, indentation)));
  }
  return breaks;
}

function markerOf(state: EditorState, line: BlockInfo): GutterMarker | null {
  const index = openedIn(state, line);
  if (index === null) return null;
  return state.field(folding).folded[index] === 1 ? FOLDED : UNFOLDED;
}
