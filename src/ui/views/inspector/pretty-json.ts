import type { Steps } from "../../state/in-slices.ts";

/** JSON text with each member on a line of its own, and the ranges that can be folded. */
export interface PrettyJson {
  readonly lines: readonly string[];
  /** In the order of their start; an outer range comes before its inner ranges. */
  readonly folds: readonly Fold[];
}

/** A non-empty object or array. */
export interface Fold {
  /** The range between the brackets, as offsets in the lines; each line counts with its line break. */
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** Index of the fold around this fold; `null` at the top. */
  readonly parent: number | null;
  /** Whether the fold contains no other fold and is short enough for one line. */
  readonly isShort: boolean;
  readonly isArray: boolean;
  readonly children: number;
  readonly objects: number;
}

/** The most characters of a fold's content that are shown on one line. */
const LONGEST_INLINE = 72;
/** The most characters of an indented text; a longer text is nested so deeply that most of it would be indentation. */
const LONGEST = 24 * 1024 * 1024;

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const ARRAY = 91;
const BACKSLASH = 92;
const ARRAY_END = 93;
const OBJECT = 123;
const OBJECT_END = 125;

/** Tokens parsed in one step. A step takes a few milliseconds. */
const SLICE = 5_000;

/** `prettyJsonSteps`, run to its end at once. */
export function prettyJsonOf(text: string): PrettyJson | null {
  const steps = prettyJsonSteps(text);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/**
 * Indents JSON text by two spaces, as JSON.stringify does; `null` if the text is invalid (for example cut off), or too
 * long when indented. Copies tokens without parsing values: numbers keep their digits, and duplicate names stay.
 */
export function* prettyJsonSteps(text: string): Steps<PrettyJson | null> {
  const printer = new Printer();
  let expected: Expected = "value";
  let at = 0;
  for (let tokens = 1; printer.length < LONGEST; tokens += 1) {
    at = nextSign(text, at);
    if (at >= text.length) break;
    if (tokens % SLICE === 0) yield;
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (!FOLLOWS[expected].includes(kind) || (kind === "end" && !printer.isClosedBy(code))) return null;
    if (kind === "start") {
      const next = nextSign(text, at + 1);
      const isArray = code === ARRAY;
      const isEmpty = text.charCodeAt(next) === (isArray ? ARRAY_END : OBJECT_END);
      if (isEmpty) printer.empty(text.charAt(at) + text.charAt(next), isArray);
      else printer.open(text.charAt(at), isArray);
      at = isEmpty ? next + 1 : next;
      expected = isEmpty ? "after" : printer.expected;
    } else if (kind === "end") {
      printer.close(text.charAt(at));
      at += 1;
      expected = "after";
    } else if (kind === "comma") {
      if (!printer.isWithin) return null;
      printer.next();
      at += 1;
      expected = printer.expected;
    } else if (kind === "colon") {
      printer.add(": ");
      at += 1;
      expected = "value";
    } else {
      const end = kind === "string" ? stringEnd(text, at) : endOf(WORD, text, at);
      if (end === null) return null;
      printer.add(text.slice(at, end));
      at = end;
      expected = expected === "name" ? "colon" : "after";
    }
  }
  return expected === "after" && !printer.isWithin && printer.length < LONGEST ? printer.printed() : null;
}

/** What can come next; `after`: what can come after a whole value. */
type Expected = "value" | "name" | "colon" | "after";

type Kind = "start" | "end" | "comma" | "colon" | "string" | "word";

/** The grammar of RFC 8259, 2. */
const FOLLOWS: Readonly<Record<Expected, readonly Kind[]>> = {
  value: ["start", "string", "word"],
  name: ["string"],
  colon: ["colon"],
  after: ["comma", "end"],
};

function kindOf(code: number): Kind {
  if (code === OBJECT || code === ARRAY) return "start";
  if (isEnd(code)) return "end";
  if (code === COMMA) return "comma";
  if (code === COLON) return "colon";
  return code === QUOTE ? "string" : "word";
}

/** Literals and numbers of RFC 8259, 3 and 6. */
const WORD = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
/** A string without escapes (RFC 8259, 7). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a string must not contain them.
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;

/** The offset after the match of a sticky pattern at `from`; `null` if the pattern does not match. */
function endOf(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** The offset after the string that starts at `from`; `null` if there is no string. */
function stringEnd(text: string, from: number): number | null {
  const plain = endOf(PLAIN_STRING, text, from);
  if (plain !== null) return plain;
  let end = text.indexOf('"', from + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end >= 0 && isString(text.slice(from, end)) ? end + 1 : null;
}

/**
 * Whether the token is a valid string. Control characters must be escaped, and only a few escapes exist (RFC 8259, 7).
 */
function isString(token: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a string must not contain them.
  if (/[\u0000-\u001f]/.test(token)) return false;
  for (let at = token.indexOf("\\"); at >= 0; at = token.indexOf("\\", at)) {
    const sign = token.charAt(at + 1);
    if (sign === "u" && !/^[\da-fA-F]{4}$/.test(token.slice(at + 2, at + 6))) return false;
    if (!'"\\/bfnrtu'.includes(sign)) return false;
    at += 2;
  }
  return true;
}

/** What a fold contains, in words: "3 objects". */
export function holdingOf({ isArray, children, objects }: Fold): string {
  if (!isArray) return `${children} ${children === 1 ? "member" : "members"}`;
  const noun = objects === children ? "object" : "value";
  return `${children} ${noun}${children === 1 ? "" : "s"}`;
}

interface Draft {
  readonly from: number;
  to: number;
  readonly depth: number;
  readonly parent: number | null;
  isShort: boolean;
  readonly isArray: boolean;
  children: number;
  objects: number;
  holdsFold: boolean;
}

class Printer {
  /** The length of all finished lines, with line breaks. */
  length = 0;
  #line = "";
  readonly #lines: string[] = [];
  readonly #folds: Draft[] = [];
  readonly #open: number[] = [];

  get isWithin(): boolean {
    return this.#open.length > 0;
  }

  /** What is expected after a bracket or a comma. */
  get expected(): Expected {
    return this.#innermost()?.isArray === false ? "name" : "value";
  }

  isClosedBy(code: number): boolean {
    const fold = this.#innermost();
    return fold !== undefined && code === (fold.isArray ? ARRAY_END : OBJECT_END);
  }

  add(token: string): void {
    this.#line += token;
  }

  empty(token: string, isArray: boolean): void {
    const around = this.#innermost();
    if (around !== undefined && !isArray) around.objects += 1;
    this.#line += token;
  }

  open(mark: string, isArray: boolean): void {
    const around = this.#innermost();
    if (around !== undefined) {
      if (!isArray) around.objects += 1;
      around.holdsFold = true;
    }
    this.#line += mark;
    const from = this.length + this.#line.length;
    const [depth, parent] = [this.#open.length, this.#open.at(-1) ?? null];
    this.#open.push(this.#folds.length);
    this.#folds.push({
      from,
      to: from,
      depth,
      parent,
      isShort: false,
      isArray,
      children: 1,
      objects: 0,
      holdsFold: false,
    });
    this.#break();
  }

  next(): void {
    this.#line += ",";
    const around = this.#innermost();
    if (around !== undefined) around.children += 1;
    this.#break();
  }

  close(mark: string): void {
    const fold = this.#innermost();
    if (fold === undefined) throw new Error("nothing is open");
    const indentation = 1 + 2 * this.#open.length;
    this.#open.pop();
    this.#break();
    const indented = this.length - 1 - fold.from;
    fold.isShort = !fold.holdsFold && indented - fold.children * indentation <= LONGEST_INLINE;
    fold.to = this.length + this.#line.length;
    this.#line += mark;
  }

  printed(): PrettyJson {
    this.#lines.push(this.#line);
    return { lines: this.#lines, folds: this.#folds };
  }

  #innermost(): Draft | undefined {
    return this.#folds[this.#open.at(-1) ?? -1];
  }

  #break(): void {
    this.#lines.push(this.#line);
    this.length += this.#line.length + 1;
    this.#line = "  ".repeat(this.#open.length);
  }
}

function isSpace(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === RETURN || code === TAB;
}

function isEnd(code: number): boolean {
  return code === OBJECT_END || code === ARRAY_END;
}

function nextSign(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
