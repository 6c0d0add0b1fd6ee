import { selectAll, standardKeymap } from "@codemirror/commands";
import { bidiIsolates } from "@codemirror/language";
import { Compartment, EditorSelection, EditorState, Text } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import type { Steps } from "../../state/in-slices.ts";
import { foldable, InsertedFolds, unfoldTo } from "./body-folds.ts";
import { type LanguageName, languageOf } from "./body-language.ts";
import { type Matches, matchesIn, matchMarks, NO_MATCHES, showMatches } from "./body-matches.ts";
import { BODY_THEME } from "./body-theme.ts";
import type { Fold } from "./pretty-json.ts";

export interface BodyDocument {
  readonly lines: readonly string[];
  readonly folds: readonly Fold[];
  /** The label beside a line; lines count from 1. */
  readonly numberOf: (line: number) => string;
  readonly language: LanguageName | null;
  /** Whether the text starts with the previous text, so that the scroll position can stay. */
  readonly isSame: boolean;
}

/** A position among the matches, counted from 1; "0 of 0" if there are none. */
export interface MatchPosition {
  readonly at: number;
  readonly of: number;
}

/** A read-only text that can be searched, folded and copied. */
export interface BodyEditor {
  /** Shows a document from its start, one piece per step. */
  show(prepared: PreparedDocument): Steps<void>;
  /** Appends lines; `lines[0]` continues the last line of the text. */
  append(lines: readonly string[]): MatchPosition;
  /** Loads the language of the document, and colours the text. */
  colour(): Promise<void>;
  /**
   * Marks all matches of the needle. For a new needle, the first match is selected; for the same needle, the current
   * match stays.
   */
  search(needle: string): MatchPosition;
  /** Selects the next match (1) or the previous match (-1), and wraps around at the ends. */
  step(by: 1 | -1): MatchPosition;
  destroy(): void;
}

/** A document whose expensive parts are computed already. */
export interface PreparedDocument {
  readonly document: BodyDocument;
  readonly text: Text;
  /** The offsets at which the document's pieces end. */
  readonly ends: readonly number[];
  readonly isWrapped: boolean;
}

export interface BodyWishes {
  readonly label: string;
  /** Called when the end of the text becomes visible, so that more can be loaded. */
  readonly onEnd: () => void;
}

/**
 * The most characters of a line in a text that is not wrapped. CodeMirror draws a wrapped line of megabytes as fast as
 * many short lines.
 */
const LONGEST_LINE = 1_000;
/** Lines prepared in one step. A step takes some milliseconds. */
const LINES_AT_ONCE = 4_000;
/** Least distance of the selected match from the edge, in px: two lines. */
const MATCH_MARGIN = 40;
/** Bidirectional controls and invisible characters that CodeMirror does not mark by itself. */
const HIDDEN_SIGNS = /[\u202a-\u202c\u2060-\u2065\u2068\u206a-\u206f]/g;

/**
 * An editor in the host's shadow root, because the page's content security policy permits CodeMirror's styles only
 * there.
 */
export function bodyEditor(host: HTMLElement, { label, onEnd }: BodyWishes): BodyEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const wrapping = new Compartment();
  const colours = new Compartment();
  let language: LanguageName | null = null;
  let needle = "";
  let matches = NO_MATCHES;
  let isShowing = false;

  const stateOf = ({ document: { folds, numberOf }, isWrapped }: PreparedDocument, doc: Text): EditorState =>
    EditorState.create({
      doc,
      extensions: [
        EditorState.readOnly.of(true),
        lineNumbers({ formatNumber: numberOf }),
        folds.length > 0 ? foldable() : [],
        matchMarks(),
        colours.of([]),
        wrapping.of(isWrapped ? EditorView.lineWrapping : []),
        // Keeps a right-to-left string from reordering the punctuation beside it.
        bidiIsolates(),
        highlightSpecialChars({ addSpecialChars: HIDDEN_SIGNS, render: specialSign }),
        keymap.of([{ key: "Mod-a", run: selectAll }, ...standardKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.domEventHandlers({
          // Prevents input into the read-only text, so that letters stay shortcuts.
          beforeinput: (event) => {
            event.preventDefault();
            return true;
          },
          // No focus ring after a click; a key press shows the ring.
          mousedown: () => void host.classList.add("is-pointed"),
          keydown: () => void host.classList.remove("is-pointed"),
          blur: () => void host.classList.remove("is-pointed"),
        }),
        EditorView.updateListener.of(({ viewportChanged, geometryChanged, docChanged, view: { visibleRanges } }) => {
          if (!viewportChanged && !geometryChanged && !docChanged) return;
          const { length } = view.state.doc;
          if (length > 0 && (visibleRanges.at(-1)?.to ?? 0) >= length) onEnd();
        }),
        BODY_THEME,
      ],
    });
  const view = new EditorView({ root, parent: root });

  const mark = (next: Matches): MatchPosition => {
    matches = next;
    view.dispatch({ effects: showMatches.of(next) });
    return { at: next.current + 1, of: next.starts.length };
  };
  const goTo = (current: number): MatchPosition => {
    const position = mark({ ...matches, current });
    const start = matches.starts[current];
    if (start === undefined) return position;
    unfoldTo(view, start);
    const range = EditorSelection.range(start, start + matches.length);
    view.dispatch({
      selection: range,
      effects: EditorView.scrollIntoView(range, { y: "nearest", yMargin: MATCH_MARGIN, xMargin: MATCH_MARGIN }),
    });
    return position;
  };

  return {
    *show(prepared) {
      const { document, text, ends } = prepared;
      const snapshot = view.scrollSnapshot();
      isShowing = true;
      language = document.language;
      matches = { ...NO_MATCHES, current: document.isSame ? matches.current : 0 };
      const folds = document.folds.length === 0 ? null : new InsertedFolds(document.folds, text);
      // The text is inserted after the line width is known: the editor then lays out only the visible part of a wrapped
      // line. An editor that starts with the text would lay out all its megabytes, which takes 0.8 s.
      view.setState(stateOf(prepared, Text.empty));
      view.coordsAtPos(0);
      if (!view.inView) view.setState(stateOf(prepared, text));
      for (const end of view.inView ? ends : [text.length]) {
        const { length } = view.state.doc;
        view.dispatch({
          changes: { from: length, insert: text.slice(length, end) },
          effects: [
            ...(folds === null ? [] : [folds.until(end)]),
            ...(document.isSame && end === text.length ? [snapshot] : []),
          ],
        });
        if (length === 0 && !document.isSame) view.scrollDOM.scrollTo(0, 0);
        isShowing = end < text.length;
        yield;
      }
    },

    append(lines) {
      const { doc } = view.state;
      const last = doc.line(doc.lines).length + (lines[0]?.length ?? 0);
      const wraps = last > LONGEST_LINE || isLong(lines);
      const mayBegin = Math.max(doc.length - needle.length + 1, (matches.starts.at(-1) ?? 0) + matches.length, 0);
      view.dispatch({
        changes: { from: doc.length, insert: Text.of(lines) },
        effects: [
          ...(wraps ? [wrapping.reconfigure(EditorView.lineWrapping)] : []),
          // Keeps the scroll position. An editor scrolled to its end would otherwise stay at the end, and load more
          // again and again.
          ...(isAtEnd(view.scrollDOM) ? [view.scrollSnapshot()] : []),
        ],
      });
      const added = matchesIn(view.state.doc, needle, mayBegin);
      const starts = matches.starts.concat(added);
      return mark({ starts, length: needle.length, current: matchIn(starts, matches.current) });
    },

    async colour() {
      const wanted = language;
      if (wanted === null) return;
      const loaded = await languageOf(wanted);
      if (language === wanted) view.dispatch({ effects: colours.reconfigure(loaded) });
    },

    search(next) {
      const isNew = next !== needle;
      // A needle is not remembered while the text is being inserted. The next search is then new, and selects the first
      // match.
      needle = isShowing ? "" : next;
      const starts = matchesIn(view.state.doc, next);
      const current = matchIn(starts, isNew ? 0 : matches.current);
      const position = mark({ starts, length: next.length, current });
      return isNew ? goTo(current) : position;
    },

    step(by) {
      const count = matches.starts.length;
      return count === 0 ? { at: 0, of: 0 } : goTo((matches.current + by + count) % count);
    },

    destroy() {
      view.destroy();
    },
  };
}

/** Computes the expensive parts of a document, `LINES_AT_ONCE` lines per step. */
export function* preparedDocument(document: BodyDocument): Steps<PreparedDocument> {
  const { lines } = document;
  const ends: number[] = [];
  let text = Text.empty;
  let isWrapped = false;
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const some = lines.slice(from, from + LINES_AT_ONCE);
    isWrapped ||= isLong(some);
    text = text.append(Text.of(from === 0 ? some : ["", ...some]));
    ends.push(text.length);
    yield;
  }
  return { document, text, ends, isWrapped };
}

/** Index of the current match: `current`, limited to the existing matches; -1 if there are none. */
function matchIn(starts: readonly number[], current: number): number {
  return Math.min(Math.max(current, 0), starts.length - 1);
}

function isAtEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): boolean {
  return scrollHeight - clientHeight - scrollTop < 2;
}

function isLong(lines: readonly string[]): boolean {
  return lines.some(({ length }) => length > LONGEST_LINE);
}

/** The sign shown for a character that is invisible or reorders the text around it. */
function specialSign(_code: number, description: string | null, sign: string): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "body-special";
  shown.textContent = sign;
  shown.title = description ?? "";
  return shown;
}
