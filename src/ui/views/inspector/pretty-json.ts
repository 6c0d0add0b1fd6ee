/** JSON text with each member on its own line, and its foldable ranges. */
export interface PrettyJson {
  readonly lines: readonly string[];
  /** By start; an outer range precedes the inner ones. */
  readonly folds: readonly Fold[];
}

/** A non-empty object or array. */
export interface Fold {
  /** Between its brackets: offsets in the lines, each with its line break. */
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** Index of the enclosing fold; `null` at the top. */
  readonly parent: number | null;
  /** It contains no other fold and is short enough for one line. */
  readonly isShort: boolean;
  readonly isArray: boolean;
  readonly children: number;
  /** Number of children that are objects or arrays. */
  readonly nested: number;
}

/** Characters up to which a fold's content is shown on its line. Default; not from a specification. */
const LONGEST_INLINE = 72;
/**
 * Length above which text is not indented: its nesting is so deep that it would be mostly indentation. Default; not
 * from a specification.
 */
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

/**
 * Indents JSON text by two spaces, as JSON.stringify does; `null` if it is invalid (such as cut off). It copies tokens
 * without parsing values: numbers keep their digits, and duplicate names stay.
 */
export function prettyJsonOf(text: string): PrettyJson | null {
  if (!isJson(text)) return null;
  const printer = new Printer();
  let at = 0;
  while (at < text.length && printer.length < LONGEST) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) at += 1;
    else if (code === OBJECT || code === ARRAY) {
      const next = nextSign(text, at + 1);
      const isEmpty = isEnd(text.charCodeAt(next));
      if (isEmpty) printer.empty(text.charAt(at) + text.charAt(next));
      else printer.open(text.charAt(at), code === ARRAY);
      at = isEmpty ? next + 1 : next;
    } else if (isEnd(code)) {
      printer.close(text.charAt(at));
      at += 1;
    } else if (code === COMMA) {
      printer.next();
      at += 1;
    } else if (code === COLON) {
      printer.add(": ");
      at += 1;
    } else {
      const end = code === QUOTE ? stringEnd(text, at) : wordEnd(text, at);
      printer.add(text.slice(at, end));
      at = end;
    }
  }
  return printer.length < LONGEST ? printer.printed() : null;
}

/** The content of a fold: "3 objects". */
export function holdingOf({ isArray, children, nested }: Fold): string {
  if (!isArray) return `${children} ${children === 1 ? "member" : "members"}`;
  const noun = nested === children ? "object" : "value";
  return `${children} ${noun}${children === 1 ? "" : "s"}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Draft {
  readonly from: number;
  to: number;
  readonly depth: number;
  readonly parent: number | null;
  isShort: boolean;
  readonly isArray: boolean;
  children: number;
  nested: number;
  holdsFold: boolean;
}

class Printer {
  /** Length of all finished lines, with their line breaks. */
  length = 0;
  #line = "";
  readonly #lines: string[] = [];
  readonly #folds: Draft[] = [];
  readonly #open: number[] = [];

  add(token: string): void {
    this.#line += token;
  }

  empty(token: string): void {
    const around = this.#innermost();
    if (around !== undefined) around.nested += 1;
    this.#line += token;
  }

  open(mark: string, isArray: boolean): void {
    const around = this.#innermost();
    if (around !== undefined) {
      around.nested += 1;
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
      nested: 0,
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

/** The offset after the quote that ends the string. */
function stringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** The offset after a number, `true`, `false` or `null`. */
function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || isEnd(code) || code === COMMA) break;
    at += 1;
  }
  return at;
}
