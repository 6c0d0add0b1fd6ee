import { DEEPEST_JSON } from "../model/json.ts";
import { failure, type Problem, type Result, success } from "../model/result.ts";
import { excerptOf } from "./json-value.ts";

/**
 * The most characters of an entry (enough for a body of 10 MiB in base64), and the most entries of a file. A larger
 * entry is left out; a file with more entries is refused.
 */
const LONGEST_ENTRY = 64 * 1024 * 1024;
const MOST_ENTRIES = 1_000_000;
/**
 * The most values of an entry: its brackets and commas, outside strings. A WebSocket message has five of them.
 * JSON.parse takes seconds for tens of millions, however short they are.
 */
const MOST_VALUES = 500_000;

/** The most characters stored of a name. A longer name can be neither `log` nor `entries`. */
const LONGEST_NAME = 64;

/** The depth of entries and pages: in the root object, in `log`, in its list. */
const LIST_DEPTH = 3;

/**
 * Parses a HAR file in pieces of text of any size. Returns the items of `log.entries` one by one, each with its index
 * in the list, from 1. Passes the objects of `log.pages` to `onPage`. Keeps only the incomplete item.
 */
export class HarReader {
  /** The open brackets, outermost first. */
  readonly #open: string[] = [];
  /** The name of the current member of the root object, and of the current member of `log`. */
  readonly #names: [string, string] = ["", ""];
  /**
   * The beginning of a name that is being parsed for `#names`, with escapes not yet decoded; `null` while no such name
   * is parsed.
   */
  #name: string | null = null;
  #nameComesNext = false;
  #inString = false;
  #escaped = false;
  /** The text of the current item so far, from earlier pieces; `null` between items. */
  #item: string | null = null;
  /**
   * Whether the item is an object or a list, and so ends at its closing bracket. Any other value ends before the next
   * comma or closing bracket.
   */
  #isBracketed = false;
  /** Why the item is left out, so that its text is dropped; `null` if it is not. */
  #excess: Problem | null = null;
  #values = 0;
  /** The number of items begun so far. */
  #entries = 0;
  /** Whether the list has an item since its opening bracket or its last comma. */
  #hasItem = false;
  #begun = false;
  #foundList = false;
  #problem: string | null = null;
  readonly #onPage: (page: object) => void;

  constructor(onPage: (page: object) => void = () => {}) {
    this.#onPage = onPage;
  }

  /**
   * Why the file is refused, as a sentence; `null` if it is not refused so far. After a problem, the rest of the file
   * is ignored.
   */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Parses a piece and returns the items that it completes. */
  push(text: string): readonly HarItem[] {
    const items: HarItem[] = [];
    let from = 0;
    for (let at = 0; at < text.length && this.#problem === null; at += 1) {
      if (this.#inString) {
        at = this.#string(text, at);
        continue;
      }
      if (this.#item !== null && this.#open.length > LIST_DEPTH) {
        at = nextSign(text, at);
        if (at === text.length) break;
      }
      const character = text[at] ?? "";
      if (this.#item !== null && !this.#isBracketed && this.#isInList() && (character === "," || character === "]")) {
        this.#hold(text.slice(from, at));
        this.#finish(items);
      }
      if (this.#item === null && this.#isInList()) {
        if (this.#isItemMissing(character) && this.#isInEntries()) items.push(this.#missing());
        if (this.#begin(character)) from = at;
      }
      if (this.#item !== null) this.#countValue(character);
      this.#take(character);
      if (this.#item === null || !this.#isBracketed || this.#open.length > LIST_DEPTH) continue;
      this.#hold(text.slice(from, at + 1));
      this.#finish(items);
    }
    if (this.#item !== null) this.#hold(text.slice(from));
    return items;
  }

  /** Ends the file. Returns why the file is refused, as a sentence; `null` if it is accepted. */
  end(): Problem | null {
    if (this.#open.length > 0) this.#refuse("This file was cut off: its JSON is incomplete.");
    if (!this.#begun) this.#refuse("This file is empty.");
    if (!this.#foundList) this.#refuse("This is not a HAR file: it has no list of entries in its log.");
    return this.#problem;
  }

  /** Begins an item if `character` starts one. Returns whether an item was begun. */
  #begin(character: string): boolean {
    if (isSpace(character) || ",]}".includes(character)) return false;
    this.#item = "";
    this.#isBracketed = character === "{" || character === "[";
    this.#count();
    return this.#item !== null;
  }

  #count(): void {
    this.#hasItem = true;
    if (!this.#isInEntries()) return;
    this.#entries += 1;
    if (this.#entries > MOST_ENTRIES) this.#refuse(`This file holds more than ${MOST_ENTRIES} entries.`);
  }

  /** Appends text to the current item. */
  #hold(text: string): void {
    if (this.#excess !== null) return;
    this.#item = (this.#item ?? "") + text;
    if (this.#item.length > LONGEST_ENTRY) this.#drop(TOO_LARGE);
  }

  #countValue(character: string): void {
    if (character !== "," && character !== "{" && character !== "[") return;
    this.#values += 1;
    if (this.#values > MOST_VALUES) this.#drop(TOO_MANY);
  }

  #drop(excess: Problem): void {
    this.#item = "";
    this.#excess = excess;
  }

  /** Ends the current item. Adds it to `items` if it is an entry. */
  #finish(items: HarItem[]): void {
    const [text, excess, entry] = [this.#item ?? "", this.#excess, this.#entries];
    this.#item = null;
    this.#excess = null;
    this.#values = 0;
    const item = excess === null ? itemOf(entry, text) : { ...failure(excess), entry };
    if (this.#isInEntries()) items.push(item);
    else if (item.ok) this.#onPage(item.value);
  }

  #isItemMissing(character: string): boolean {
    const isComma = character === ",";
    const isMissing = isComma && !this.#hasItem;
    if (isComma) this.#hasItem = false;
    return isMissing;
  }

  #missing(): HarItem {
    this.#count();
    this.#hasItem = false;
    return { ...failure("there is nothing between two commas"), entry: this.#entries };
  }

  #take(character: string): void {
    if (isSpace(character)) return;
    const depth = this.#open.length;
    if (depth === 0 && (this.#begun || character !== "{")) {
      if (character !== BYTE_ORDER_MARK || this.#begun)
        this.#refuse("This is not a HAR file: it is not one JSON object.");
      return;
    }
    if (character === '"') this.#beginString();
    else if (character === "{" || character === "[") this.#enter(character);
    else if (character === "}" || character === "]") this.#leave(character);
    else if (depth < LIST_DEPTH && character === ",") this.#nameComesNext = this.#open[depth - 1] === "{";
    else if (depth < LIST_DEPTH && character === ":") this.#nameComesNext = false;
  }

  #enter(bracket: string): void {
    this.#begun = true;
    this.#open.push(bracket);
    if (this.#open.length > DEEPEST_JSON) this.#refuse(`This file is nested deeper than ${DEEPEST_JSON} levels.`);
    if (this.#open.length < LIST_DEPTH) {
      this.#nameComesNext = bracket === "{";
      this.#names[this.#open.length - 1] = "";
    }
    if (!this.#isInList()) return;
    if (this.#isInEntries()) this.#foundList = true;
    this.#hasItem = false;
  }

  #leave(bracket: string): void {
    const opening = bracket === "}" ? "{" : "[";
    // Mismatched brackets in an item make only that item invalid.
    if (this.#item !== null) {
      const index = this.#open.lastIndexOf(opening);
      if (index >= LIST_DEPTH) this.#open.length = index;
      return;
    }
    if (this.#open.pop() !== opening) this.#refuse("This file is not JSON: its brackets do not match.");
    this.#nameComesNext = false;
  }

  #isInList(): boolean {
    const [log, list] = this.#names;
    if (this.#open.length !== LIST_DEPTH || this.#open[2] !== "[" || log !== "log") return false;
    return list === "entries" || list === "pages";
  }

  /** Whether the current list, or the list of the current item, is `log.entries`. */
  #isInEntries(): boolean {
    return this.#names[1] === "entries";
  }

  #beginString(): void {
    this.#inString = true;
    if (this.#open.length < LIST_DEPTH && this.#nameComesNext) this.#name = "";
  }

  /** Parses up to the end of the string or of the piece; returns the position reached. */
  #string(text: string, from: number): number {
    const at = this.#endOfString(text, from);
    this.#inString = at === text.length;
    if (this.#name === null) return at;
    if (this.#name.length < LONGEST_NAME) this.#name += text.slice(from, Math.min(at, from + LONGEST_NAME));
    if (this.#inString) return at;
    this.#names[this.#open.length - 1] = this.#name.includes("\\") ? unescaped(this.#name) : this.#name;
    this.#name = null;
    return at;
  }

  /** The position of the string's closing quote; the end of the piece if the string continues. */
  #endOfString(text: string, from: number): number {
    let begin = from;
    if (this.#escaped && from < text.length) {
      this.#escaped = false;
      begin += 1;
    }
    for (;;) {
      const quote = text.indexOf('"', begin);
      const end = quote < 0 ? text.length : quote;
      let escapes = 0;
      while (end - escapes > begin && text.charCodeAt(end - escapes - 1) === BACKSLASH) escapes += 1;
      const isEscaped = escapes % 2 === 1;
      if (quote < 0 && begin < text.length) this.#escaped = isEscaped;
      if (quote < 0 || !isEscaped) return end;
      begin = quote + 1;
    }
  }

  #refuse(problem: string): void {
    this.#problem ??= problem;
    this.#item = null;
  }
}

const TOO_LARGE = `it is larger than ${LONGEST_ENTRY / 1024 / 1024} MB`;
const TOO_MANY = `it has more than ${MOST_VALUES} values`;

const BACKSLASH = "\\".charCodeAt(0);
const BYTE_ORDER_MARK = "\ufeff";

/**
 * The position of the next quote, bracket or comma, since no other character matters within an item; the text's end if
 * there is none.
 */
function nextSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.test(text) ? SIGN.lastIndex - 1 : text.length;
}

const SIGN = /["[\]{},]/g;

/** JSON's whitespace (RFC 8259, 2). */
function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}

function unescaped(name: string): string {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

/**
 * One item of `log.entries`: a JSON object without members named `__proto__` or `constructor`, or a reason for leaving
 * the item out. The reason quotes the wrong value.
 */
export type HarItem = Result<object> & { readonly entry: number };

/** Parses one item from its JSON text. `entry`: the item's index. */
function itemOf(entry: number, text: string): HarItem {
  try {
    // Parsing takes ten times as long with a reviver, so only text that may contain a dropped name gets one.
    const value: unknown = DROPPED.test(text) ? JSON.parse(text, withoutDropped) : JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...success(value), entry };
    return { ...failure(`it is not an object: ${excerptOf(text.trim())}`), entry };
  } catch {
    return { ...failure(`it is not JSON: ${excerptOf(text.trim())}`), entry };
  }
}

/** Finds one of the dropped names, or an escape that may stand for one of their letters. */
const DROPPED = /"(?:__proto__|constructor)"|\\u00[3-7]/;

/** A reviver that drops members whose names have a meaning in JavaScript (docs/security.md L4). */
function withoutDropped(name: string, value: unknown): unknown {
  return name === "__proto__" || name === "constructor" ? undefined : value;
}
