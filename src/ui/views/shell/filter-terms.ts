import { filterOf as engineFilterOf } from "../../../engine/session/filter/filter.ts";
import { FIGURES, KEYS, NAMED, tokensOf } from "../../../engine/session/filter/term-parser.ts";

/** The content of the filter box: complete terms as chips, and the text after them. */
export interface FilterTerms {
  readonly chips: readonly FilterChip[];
  readonly draft: string;
}

/** A term of the filter language: "status:5xx" has the key "status:" and the value "5xx". */
export interface FilterChip {
  readonly key: string;
  readonly value: string;
  /** Accessible name of the button that removes the term. */
  readonly label: string;
}

/** A term of the filter language: the key with an optional negation, and the value. */
const TERM = new RegExp(
  `^((?:-|not:)?(?:(?:${KEYS.join("|")}|(?:${NAMED.join("|")})\\.[^\\s":]+):|(?:${FIGURES.join("|")})[<>]=?))(.*)$`,
  "i",
);

/** Splits a filter: complete terms and groups become chips, the rest stays text. */
export function termsOf(filter: string): FilterTerms {
  const parts = partsOf(filter);
  // Alternatives stay text, because their order with the other terms matters.
  if (parts === null) return Object.freeze({ chips: chipsOf([]), draft: finishedDraft(filter.trim()) });
  return Object.freeze({
    chips: chipsOf(parts.filter(isChip)),
    draft: finishedDraft(parts.filter((part) => !isChip(part)).join(" ")),
  });
}

function isChip(part: string): boolean {
  return TERM.test(part) || /^(?:-|not:)?\(/i.test(part);
}

/** The terms and groups of a filter that must all hold; `null` if it has alternatives, or if its groups do not fit. */
function partsOf(filter: string): readonly string[] | null {
  const parts: string[] = [];
  const opened: number[] = [];
  for (const { kind, text, at } of tokensOf(filter)) {
    if (kind === "open") opened.push(at);
    else if (kind === "close") {
      const start = opened.pop();
      if (start === undefined) return null;
      if (opened.length === 0) parts.push(filter.slice(start, at + 1));
    } else if (opened.length > 0) continue;
    else if (kind === "word") parts.push(text);
    else return null;
  }
  return opened.length > 0 ? null : parts;
}

/** The draft with its last word completed: a space follows a word that may be the start of a key. */
export function finishedDraft(draft: string): string {
  return isUnfinished(wordAtEnd(draft)) ? `${draft} ` : draft;
}

/** Splits a filter while the user types: a space completes a term. */
export function termsWhileTyping(chips: readonly FilterChip[], draft: string): FilterTerms {
  const last = wordAtEnd(draft);
  const end = draft.length - last.length;
  const finished = termsOf(draft.slice(0, end));
  if (finished.chips.length === 0) return { chips, draft };
  const rest = `${finished.draft === "" ? "" : `${finished.draft.trim()} `}${last}`;
  return Object.freeze({ chips: chipsOf([...chips, ...finished.chips].map(textOf)), draft: rest });
}

/** The word or connective being typed; empty after a space outside quotes. */
export function wordAtEnd(draft: string): string {
  const last = tokensOf(draft).at(-1);
  const isWord = last !== undefined && last.kind !== "open" && last.kind !== "close";
  return isWord && last.at + last.text.length === draft.length ? last.text : "";
}

/**
 * The filter in the engine's syntax; a term that is being typed is left out. `isTyped`: whether the user may go on, so
 * that groups without an end and connectives without a term after them are left out, too.
 */
export function filterOf({ chips, draft }: FilterTerms, isTyped = false): string {
  const last = wordAtEnd(draft);
  const finished = isUnfinished(last) ? draft.slice(0, draft.length - last.length) : draft;
  const text = isTyped ? withoutOpenEnd(finished) : finished;
  return joined(chips, text);
}

/** Whether the filter has all of the text while the user types, so that Enter adds nothing to it. */
export function isApplied(terms: FilterTerms): boolean {
  return filterOf(terms, true) === joined(terms.chips, terms.draft);
}

function joined(chips: readonly FilterChip[], draft: string): string {
  return [...chips.map(textOf), draft.trim()].filter((part) => part !== "").join(" ");
}

function withoutOpenEnd(draft: string): string {
  const tokens = tokensOf(draft);
  const opened: number[] = [];
  for (const { kind, at } of tokens) {
    if (kind === "open") opened.push(at);
    if (kind === "close") opened.pop();
  }
  let end = opened[0] ?? draft.length;
  for (const { kind, at } of tokens.toReversed()) {
    if (at >= end) continue;
    if (kind !== "or" && kind !== "and") break;
    end = at;
  }
  return draft.slice(0, end);
}

/** Whether a word is a key, the start of a key, or a term that is not valid yet. */
function isUnfinished(word: string): boolean {
  const rest = word.replace(/^(?:-|not:)/i, "").toLowerCase();
  if (rest === "" || /^(?:q|req|resp)\.[^:"]*$/.test(rest)) return word !== "";
  if ([...KEYS, ...FIGURES, ...NAMED].some((key) => key.startsWith(rest))) return true;
  return !engineFilterOf(word).ok;
}

/** One chip for each term; a term that is written twice gets one chip. */
function chipsOf(words: readonly string[]): readonly FilterChip[] {
  return Object.freeze([...new Set(words)].map(chipOf));
}

function textOf({ key, value }: FilterChip): string {
  return key + value;
}

function chipOf(word: string): FilterChip {
  const [, key = "", value = word] = TERM.exec(word) ?? [];
  return Object.freeze({ key, value, label: `Remove ${word}` });
}
