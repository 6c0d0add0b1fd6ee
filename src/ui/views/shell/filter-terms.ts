/** What the filter box shows: finished terms as chips, and the text behind them. */
export interface FilterTerms {
  readonly chips: readonly FilterChip[];
  readonly draft: string;
}

/** One term of the filter language: "status:5xx" is key "status:" and value "5xx". */
export interface FilterChip {
  readonly key: string;
  readonly value: string;
  /** For the button that removes it. */
  readonly label: string;
}

/** The words that the filter language knows (engine/session/filter.ts), with what follows them. */
const TERM =
  /^((?:(?:status|method|host|under|client|type|protocol|connection|endpoint|slow|error|oversized|ws|tag|mark|comment):)|(?:(?:dur|latency|size)[<>]=?))(.*)$/i;

/** Words stand apart by spaces; quotes hold spaces together. As the engine reads it. */
const WORD = /(?:[^\s"]|"[^"]*"?)+/g;

/** Splits a whole filter: its terms become chips, the rest stays text. */
export function termsOf(filter: string): FilterTerms {
  const words = filter.match(WORD) ?? [];
  return Object.freeze({
    chips: Object.freeze(words.filter((word) => TERM.test(word)).map(chipOf)),
    draft: words.filter((word) => !TERM.test(word)).join(" "),
  });
}

/** The filter while its last words are still being typed: a term counts as finished once a space follows it. */
export function termsWhileTyping(chips: readonly FilterChip[], draft: string): FilterTerms {
  const last = wordAtEnd(draft);
  const end = draft.length - last.length;
  const finished = termsOf(draft.slice(0, end));
  if (finished.chips.length === 0) return { chips, draft };
  const rest = `${finished.draft === "" ? "" : `${finished.draft} `}${last}`;
  return Object.freeze({ chips: Object.freeze([...chips, ...finished.chips]), draft: rest });
}

/** The word that is being typed; empty after a space, but not after one within quotes. */
export function wordAtEnd(draft: string): string {
  const word = draft.match(WORD)?.at(-1) ?? "";
  return draft.endsWith(word) ? word : "";
}

/** The filter as the engine reads it. */
export function filterOf(terms: FilterTerms): string {
  return [...terms.chips.map((chip) => chip.key + chip.value), terms.draft.trim()]
    .filter((part) => part !== "")
    .join(" ");
}

function chipOf(word: string): FilterChip {
  const [, key = "", value = ""] = TERM.exec(word) ?? [];
  return Object.freeze({ key, value, label: `Remove ${word}` });
}
