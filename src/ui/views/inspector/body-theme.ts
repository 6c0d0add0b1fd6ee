import { syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

/** The editor's styles. In the shadow root, the page's custom properties apply, but not the page's rules. */
const SHAPES = EditorView.theme({
  "&": { height: "100%", color: "var(--color-ink)" },
  // The focus ring is drawn around the whole body, in inspector.css.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    fontSize: "var(--text-small)",
    lineHeight: "20px",
    scrollbarWidth: "thin",
    scrollbarColor: "var(--color-line-strong) transparent",
  },
  ".cm-content": { padding: "0 0 12px", caretColor: "var(--color-ink)" },
  ".cm-line": { padding: "0 var(--gutter) 0 0" },
  ".cm-gutters": { border: "none", backgroundColor: "var(--color-surface)", color: "var(--color-ink-3)" },
  ".cm-gutters.cm-gutters-before": { border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "40px", padding: "0 0 0 var(--gutter)" },
  ".cm-lineNumbers:last-child": { marginRight: "18px" },
  ".body-folds": { width: "18px" },
  ".body-folds .cm-gutterElement span": { display: "flex", padding: "5px 4px", color: "var(--color-ink-2)" },
  ".body-folds .cm-gutterElement span:hover": { color: "var(--color-ink)" },
  ".body-folds svg": {
    width: "10px",
    height: "10px",
    fill: "none",
    stroke: "currentColor",
    strokeWidth: "1.5",
    strokeLinecap: "round",
    strokeLinejoin: "round",
  },
  ".body-note": {
    margin: "0 1ch",
    padding: "0 5px",
    border: "1px solid var(--color-line-strong)",
    borderRadius: "var(--radius-mark)",
    color: "var(--color-ink-2)",
    fontSize: "var(--text-note)",
    // Without this property the smaller font would increase the line's height.
    lineHeight: "1",
  },
  ".body-special": { color: "var(--color-error)" },
  ".body-match, .body-match span": { color: "var(--color-ink)" },
  ".body-match": { borderRadius: "2px", backgroundColor: "var(--color-match)" },
  ".body-match.is-current": { outline: "1px solid var(--color-ink)" },
  "& ::selection": { backgroundColor: "var(--color-surface-selected)" },
  ".token-name": { color: "var(--color-json-key)" },
  ".token-text": { color: "var(--color-json-string)" },
  ".token-number": { color: "var(--color-json-number)" },
  ".token-quiet": { color: "var(--color-ink-3)" },
});

/** Only four classes, so that each colour has a meaning: names, strings, numbers, comments. */
const COLOURS = tagHighlighter([
  { tag: [tags.propertyName, tags.tagName, tags.keyword, tags.modifier, tags.className], class: "token-name" },
  { tag: [tags.string, tags.attributeValue, tags.regexp, tags.special(tags.string)], class: "token-text" },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color, tags.attributeName],
    class: "token-number",
  },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], class: "token-quiet" },
]);

/** The editor's theme and highlighting. */
export const BODY_THEME: Extension = [SHAPES, syntaxHighlighting(COLOURS)];
