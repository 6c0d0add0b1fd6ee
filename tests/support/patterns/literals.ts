import { readdirSync, readFileSync } from "node:fs";

/** A regular expression literal in a source file. */
export interface Literal {
  /** Path and line, separated by a colon. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Words after which a slash starts a regular expression instead of a division. */
const BEFORE_EXPRESSION = new Set(["return", "case", "typeof", "in", "of", "yield", "await", "void", "new", "delete"]);

/** Folders whose code reads captured text while traffic passes: the data thread and the engine. */
const ROOMS = ["src/engine", "extensions/proxy"];

/** All regular expressions in the folders whose code reads captured text. */
export function capturedTextPatterns(): Literal[] {
  return ROOMS.flatMap((room) => {
    const folder = new URL(`../../../${room}/`, import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    return files.flatMap((file) => literalsIn(`${room}/${file}`, readFileSync(new URL(file, folder), "utf8")));
  });
}

/** All regular expression literals in the TypeScript `text`; comments, strings and templates are skipped. */
export function literalsIn(path: string, text: string): Literal[] {
  const found: Literal[] = [];
  /** For each open `${` of a template, the depth of braces at which it ends. */
  const templates: number[] = [];
  let braces = 0;
  let last = "";
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at, at + 2);
    const character = text.charAt(at);
    if (rest === "//") at = endOf(text, "\n", at);
    else if (rest === "/*") at = endOf(text, "*/", at + 2);
    else if (character === '"' || character === "'") {
      at = quoteEnd(text, at);
      last = '"';
    } else if (character === "`" || (character === "}" && templates.at(-1) === braces)) {
      if (character === "}") templates.pop();
      const end = templateEnd(text, at + 1);
      if (text.charAt(end - 1) === "{") templates.push(braces);
      last = text.charAt(end - 1) === "{" ? "(" : '"';
      at = end;
    } else if (character === "/" && beginsPattern(last)) {
      const end = patternEnd(text, at + 1);
      const flags = /^[a-z]*/.exec(text.slice(end + 1, end + 12))?.[0] ?? "";
      const line = text.slice(0, at).split("\n").length;
      found.push({ place: `${path}:${line}`, source: text.slice(at + 1, end), flags });
      at = end + 1 + flags.length;
      last = '"';
    } else if (/[A-Za-z0-9_$]/.test(character)) {
      const word = /^[\w$]+/.exec(text.slice(at, at + 80))?.[0] ?? character;
      at += word.length;
      last = BEFORE_EXPRESSION.has(word) ? "(" : word;
    } else {
      if (character === "{") braces += 1;
      if (character === "}") braces -= 1;
      if (character.trim() !== "") last = character;
      at += 1;
    }
  }
  return found;
}

/** Whether a slash after the text `last` starts a regular expression. */
function beginsPattern(last: string): boolean {
  return !/^[\w$)\]}"]/.test(last);
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

function quoteEnd(text: string, from: number): number {
  const quote = text.charAt(from);
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== quote) at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

/** The index after the closing backtick or the next `${`. */
function templateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === "`") return at + 1;
    else if (text.startsWith("${", at)) return at + 2;
  }
  return text.length;
}

function patternEnd(text: string, from: number): number {
  let inClass = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "[") inClass = true;
    else if (character === "]") inClass = false;
    else if (character === "/" && !inClass) return at;
  }
  return text.length;
}
