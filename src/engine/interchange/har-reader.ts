/** security.md, L4: JSON from outside is nested no deeper. */
const DEEPEST = 64;

/**
 * Our choices: characters of one entry (a body of 10 MiB in base64, and much besides), beyond which it is left out, and entries
 * of one file.
 */
const LONGEST_ENTRY = 64 * 1024 * 1024;
const MOST_ENTRIES = 1_000_000;

/** A longer name is neither `log` nor `entries`. */
const LONGEST_NAME = 64;

/** Where entries are: inside the root object, `log`, and its list. */
const LIST_DEPTH = 3;

/**
 * Reads a HAR file as it comes, in pieces of text of any size, and gives out the objects of `log.entries` one by one.
 * Holds no more than the entry that is not complete yet; the rest of the file is only looked through.
 */
export class HarReader {
  /** The brackets that are open, outermost first. */
  readonly #open: string[] = [];
  /** In the root object and in `log`, the name whose value is being read. */
  readonly #names: [string, string] = ["", ""];
  /** Such a name while it is read: its text so far, escapes and all. */
  #name: string | null = null;
  #nameComesNext = false;
  #inString = false;
  #escaped = false;
  /** The entry that is being read, as far as earlier pieces held it; `null` between entries. */
  #entry: string | null = null;
  /** The entry that is being read is too large, so that nothing of it is held. */
  #isTooLarge = false;
  #tooLarge = 0;
  #entries = 0;
  #begun = false;
  #foundList = false;
  #problem: string | null = null;

  /** Why the file is refused, as a sentence: nothing of it is read any more. `null` so far. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Entries that are left out, since they are longer than can be held. */
  get tooLarge(): number {
    return this.#tooLarge;
  }

  /** The entries that this piece completes: JSON objects without `__proto__` and `constructor`. */
  push(text: string): readonly object[] {
    const entries: object[] = [];
    let from = 0;
    for (let at = 0; at < text.length && this.#problem === null; at += 1) {
      if (this.#inString) {
        at = this.#string(text, at);
        continue;
      }
      const character = text[at] ?? "";
      const isInside = this.#entry !== null;
      this.#take(character);
      if (!isInside && this.#entry !== null) from = at;
      if (!isInside || this.#open.length > LIST_DEPTH) continue;
      this.#hold(text.slice(from, at + 1));
      const entry = this.#isTooLarge ? null : this.#parsed(this.#entry ?? "");
      if (entry !== null) entries.push(entry);
      this.#entry = null;
      this.#isTooLarge = false;
    }
    if (this.#entry !== null) this.#hold(text.slice(from));
    return entries;
  }

  /** To be told that the file is at its end. Returns why it is refused, if it is. */
  end(): string | null {
    if (this.#open.length > 0) this.#refuse("This file was cut off: it ends in the middle.");
    if (!this.#foundList) this.#refuse("This is no HAR file: it has no list of entries in its log.");
    return this.#problem;
  }

  /** More of the entry that is being read. */
  #hold(text: string): void {
    if (this.#isTooLarge) return;
    this.#entry = (this.#entry ?? "") + text;
    if (this.#entry.length <= LONGEST_ENTRY) return;
    this.#entry = "";
    this.#isTooLarge = true;
    this.#tooLarge += 1;
  }

  /** A character outside strings. */
  #take(character: string): void {
    if (isSpace(character)) return;
    const depth = this.#open.length;
    if (depth === 0 && (this.#begun || character !== "{")) {
      if (character !== BYTE_ORDER_MARK || this.#begun) this.#refuse("This is no HAR file: it is not one JSON object.");
      return;
    }
    if (this.#isInList() && !"{},]".includes(character)) {
      this.#refuse("The log of this file holds something that is no entry.");
      return;
    }
    if (character === '"') this.#beginString();
    else if (character === "{" || character === "[") this.#enter(character);
    else if (character === "}" || character === "]") this.#leave(character);
    else if (depth < LIST_DEPTH && character === ",") this.#nameComesNext = this.#open[depth - 1] === "{";
    else if (depth < LIST_DEPTH && character === ":") this.#nameComesNext = false;
  }

  #enter(bracket: string): void {
    if (this.#isInList()) {
      this.#entry = "";
      this.#entries += 1;
      if (this.#entries > MOST_ENTRIES) this.#refuse(`This file holds more than ${MOST_ENTRIES} entries.`);
    }
    this.#begun = true;
    this.#open.push(bracket);
    if (this.#open.length > DEEPEST) this.#refuse(`This file is nested deeper than ${DEEPEST} levels.`);
    if (this.#open.length < LIST_DEPTH) {
      this.#nameComesNext = bracket === "{";
      this.#names[this.#open.length - 1] = "";
    }
    if (this.#isInList()) this.#foundList = true;
  }

  #leave(bracket: string): void {
    const opened = this.#open.pop();
    if ((opened === "{") !== (bracket === "}")) this.#refuse("This file is no JSON: its brackets do not match.");
    this.#nameComesNext = false;
  }

  #isInList(): boolean {
    const [log, entries] = this.#names;
    return this.#open.length === LIST_DEPTH && this.#open[2] === "[" && log === "log" && entries === "entries";
  }

  #beginString(): void {
    this.#inString = true;
    if (this.#open.length < LIST_DEPTH && this.#nameComesNext) this.#name = "";
  }

  /** Reads on to the string's end or the piece's; returns where it stopped. */
  #string(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      if (this.#escaped) this.#escaped = false;
      else if (character === BACKSLASH) this.#escaped = true;
      else if (character === QUOTE) break;
    }
    this.#inString = at === text.length;
    if (this.#name === null) return at;
    if (this.#name.length < LONGEST_NAME) this.#name += text.slice(from, Math.min(at, from + LONGEST_NAME));
    if (this.#inString) return at;
    this.#names[this.#open.length - 1] = this.#name.includes("\\") ? unescaped(this.#name) : this.#name;
    this.#name = null;
    return at;
  }

  #parsed(text: string): object | null {
    try {
      return JSON.parse(text, withoutDropped);
    } catch {
      this.#refuse(`Entry ${this.#entries} of this file is no JSON.`);
      return null;
    }
  }

  #refuse(problem: string): void {
    this.#problem ??= problem;
    this.#entry = null;
  }
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const BYTE_ORDER_MARK = "\ufeff";

/** JSON's whitespace (RFC 8259, 2). */
function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}

/** security.md, L4: names that a program might take for something else than data. */
function withoutDropped(name: string, value: unknown): unknown {
  return name === "__proto__" || name === "constructor" ? undefined : value;
}

function unescaped(name: string): string {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}
