import { filterOf as engineFilterOf, FIGURES, KEYS, NAMED } from "../../../engine/session/filter/filter.ts";

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

/** Words are separated by spaces outside quotes, as in the engine. */
const WORD = /(?:[^\s"]|"[^"]*"?)+/g;

/** Splits a filter: complete terms become chips, the rest stays text. */
export function termsOf(filter: string): FilterTerms {
  const words = filter.match(WORD) ?? [];
  return Object.freeze({
    chips: chipsOf(words.filter((word) => TERM.test(word))),
    draft: finishedDraft(words.filter((word) => !TERM.test(word)).join(" ")),
  });
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

/** The word being typed; empty after a space outside quotes. */
export function wordAtEnd(draft: string): string {
  const word = draft.match(WORD)?.at(-1) ?? "";
  return draft.endsWith(word) ? word : "";
}

/** The filter in the engine's syntax; a term that is being typed is left out. */
export function filterOf({ chips, draft }: FilterTerms): string {
  const last = wordAtEnd(draft);
  const finished = isUnfinished(last) ? draft.slice(0, draft.length - last.length) : draft;
  return [...chips.map(textOf), finished.trim()].filter((part) => part !== "").join(" ");
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
  const [, key = "", value = ""] = TERM.exec(word) ?? [];
  return Object.freeze({ key, value, label: `Remove ${word}` });
}
