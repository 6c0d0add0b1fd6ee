import { filterOf as engineFilterOf, FIGURES, isProblem, KEYS, NAMED } from "../../../engine/session/filter/filter.ts";

/** The content of the filter box: complete terms as chips, and the text behind them. */
export interface FilterTerms {
  readonly chips: readonly FilterChip[];
  readonly draft: string;
}

/** One term of the filter language: "status:5xx" is key "status:" and value "5xx". */
export interface FilterChip {
  readonly key: string;
  readonly value: string;
  /** Accessible name of the button that removes it. */
  readonly label: string;
}

/** A term of the filter language: its key, with what negates it, and its value. */
const TERM = new RegExp(
  `^((?:-|not:)?(?:(?:${KEYS.join("|")}|(?:${NAMED.join("|")})\\.[^\\s":]+):|(?:${FIGURES.join("|")})[<>]=?))(.*)$`,
  "i",
);

/** Words are separated by spaces, except within quotes; as in the engine. */
const WORD = /(?:[^\s"]|"[^"]*"?)+/g;

/** Splits a whole filter: terms become chips, the rest remains text. */
export function termsOf(filter: string): FilterTerms {
  const words = filter.match(WORD) ?? [];
  return Object.freeze({
    chips: Object.freeze(words.filter((word) => TERM.test(word)).map(chipOf)),
    draft: finishedDraft(words.filter((word) => !TERM.test(word)).join(" ")),
  });
}

/** The draft with its last word finished: a space follows one that may be the beginning of a key. */
export function finishedDraft(draft: string): string {
  return isUnfinished(wordAtEnd(draft)) ? `${draft} ` : draft;
}

/** Splits a filter during typing: a term is complete once a space follows it. */
export function termsWhileTyping(chips: readonly FilterChip[], draft: string): FilterTerms {
  const last = wordAtEnd(draft);
  const end = draft.length - last.length;
  const finished = termsOf(draft.slice(0, end));
  if (finished.chips.length === 0) return { chips, draft };
  const rest = `${finished.draft === "" ? "" : `${finished.draft.trim()} `}${last}`;
  return Object.freeze({ chips: Object.freeze([...chips, ...finished.chips]), draft: rest });
}

/** The word being typed; empty after a space outside quotes. */
export function wordAtEnd(draft: string): string {
  const word = draft.match(WORD)?.at(-1) ?? "";
  return draft.endsWith(word) ? word : "";
}

/** The filter in the engine's syntax; a term that is still being typed filters nothing. */
export function filterOf({ chips, draft }: FilterTerms): string {
  const last = wordAtEnd(draft);
  const finished = isUnfinished(last) ? draft.slice(0, draft.length - last.length) : draft;
  return [...chips.map((chip) => chip.key + chip.value), finished.trim()].filter((part) => part !== "").join(" ");
}

/** Whether a word is a key or the beginning of one, or a term that is not valid yet. */
function isUnfinished(word: string): boolean {
  const rest = word.replace(/^(?:-|not:)/i, "").toLowerCase();
  if (rest === "" || /^(?:q|req|resp)\.[^:"]*$/.test(rest)) return word !== "";
  if ([...KEYS, ...FIGURES, ...NAMED].some((key) => key.startsWith(rest))) return true;
  return isProblem(engineFilterOf(word));
}

function chipOf(word: string): FilterChip {
  const [, key = "", value = ""] = TERM.exec(word) ?? [];
  return Object.freeze({ key, value, label: `Remove ${word}` });
}
