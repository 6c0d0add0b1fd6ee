/** A piece of a line of code in a single colour. */
export interface Run {
  readonly key: number;
  readonly text: string;
  readonly kind: "plain" | "keyword" | "string" | "number" | "option" | "comment";
  /** Whether the piece must not wrap: true for options (`--proxy`) and for short strings. */
  readonly whole: boolean;
  /** Whether the piece is the value that changed since the text was copied. */
  readonly changed: boolean;
}

export interface CodeLine {
  readonly key: number;
  readonly runs: readonly Run[];
}

/** How a text is split into tokens: code of some language, lines for a shell, or plain values. */
export type Reading = "code" | "shell" | "plain";

/** Keywords of all languages in the hub's texts; the colouring does not distinguish languages. */
const CODE_WORDS =
  "as async await class const def do else end extern false fn for foreach from func function if import in let match mut new nil null package public require return static try True False true type use using var void while with";

const KEYWORDS: Readonly<Record<Reading, ReadonlySet<string>>> = {
  code: new Set(CODE_WORDS.split(" ")),
  shell: new Set(["export", "set", "unset"]),
  plain: new Set(),
};

/** The patterns of tokens. In shell text, an assigned value is a string, and numbers are not tokens. */
const TOKENS: Readonly<Record<Reading, RegExp>> = {
  code: /(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<comment>\/\/.*)|(?<number>\b\d+(?:\.\d+)?\b)|\b[A-Za-z_]\w*\b/g,
  shell: /(?<string>"[^"\n]*"|'[^'\n]*'|(?<=\w=)[^\s'"]+)|(?<option>(?<!\S)--?[A-Za-z][\w-]*)|\b[A-Za-z_]\w*\b/g,
  plain: /(?!)/g,
};

/** The most characters of a string that must not wrap; the narrowest window has room for them. */
const LONGEST_WHOLE = 40;

/** Splits a text into lines of coloured pieces. `changed`: a value to underline (such as a port); `null`: none. */
export function coloured(text: string, reading: Reading, changed: string | null): readonly CodeLine[] {
  return Object.freeze(
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line, key) => Object.freeze({ key, runs: Object.freeze(keyed(runsOf(line, reading), changed)) })),
  );
}

type Token = Pick<Run, "text" | "kind">;

function runsOf(line: string, reading: Reading): readonly Token[] {
  const runs: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(TOKENS[reading])) {
    const [text] = match;
    const kind = KEYWORDS[reading].has(text) ? "keyword" : kindOf(match.groups ?? {});
    if (kind === "plain") continue;
    if (match.index > at) runs.push({ text: line.slice(at, match.index), kind: "plain" });
    runs.push({ text, kind });
    at = match.index + text.length;
  }
  if (at < line.length || line === "") runs.push({ text: line.slice(at), kind: "plain" });
  return runs;
}

function kindOf({ string, number, option, comment }: Partial<Record<string, string>>): Run["kind"] {
  if (string !== undefined) return "string";
  if (number !== undefined) return "number";
  if (option !== undefined) return "option";
  return comment === undefined ? "plain" : "comment";
}

/** Splits tokens at the changed value. */
function keyed(tokens: readonly Token[], changed: string | null): readonly Run[] {
  const cut = changed === null ? null : new RegExp(`(?<!\\d)(${changed.replaceAll(/\W/g, "\\$&")})(?!\\d)`);
  let key = 0;
  return tokens.flatMap(({ text, kind }) =>
    (cut === null ? [text] : text.split(cut)).flatMap((part, index) => {
      if (part === "" && text !== "") return [];
      key += 1;
      const whole = kind === "option" || (kind === "string" && part.length <= LONGEST_WHOLE);
      return [Object.freeze({ key, text: part, kind, whole, changed: index % 2 === 1 })];
    }),
  );
}
