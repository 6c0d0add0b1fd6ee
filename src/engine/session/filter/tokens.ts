/** A piece of a filter's text: a word, a connective or a parenthesis. */
export interface Token {
  readonly kind: "word" | "or" | "and" | "open" | "close";
  /** As written. An opening parenthesis may follow `-` or `not:`, which excludes the group. */
  readonly text: string;
  /** The index of its first character. */
  readonly at: number;
}

/**
 * The pieces of a filter. A word in quotes may contain spaces. Pairs of parentheses within a word belong to it, as in
 * `path:/users(1)`.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    if (BLANK.test(text[at] as string)) {
      at += 1;
      continue;
    }
    OPEN.lastIndex = at;
    const open = OPEN.exec(text)?.[0];
    const written = open ?? (text[at] === ")" ? ")" : text.slice(at, wordEnd(text, at)));
    const kind = open === undefined ? (KINDS.get(written) ?? "word") : "open";
    tokens.push({ kind, text: written, at });
    at += written.length;
  }
  return tokens;
}

const BLANK = /\s/;
const OPEN = /(?:-|not:)?\(/iy;
const KINDS: ReadonlyMap<string, Token["kind"]> = new Map([
  ["OR", "or"],
  ["AND", "and"],
  [")", "close"],
]);

function wordEnd(text: string, start: number): number {
  let opened = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (letter === '"') {
      const end = text.indexOf('"', at + 1);
      if (end < 0) return text.length;
      at = end;
    } else if (letter === "(") opened += 1;
    else if (letter === ")" && opened > 0) opened -= 1;
    else if (letter === ")" || BLANK.test(letter)) return at;
  }
  return text.length;
}
