import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";

const UI = fileURLToPath(new URL("../src/ui", import.meta.url));

/** Returns the text of a file; the path is relative to src/ui. */
export type Read = (file: string) => string;

/** Reads a file in src/ui. Throws if it is missing. */
export const readSource: Read = (file) => fs.readFileSync(path.join(UI, file), "utf8");

/**
 * Returns a page after two replacements. Paths are relative to src/ui. Throws if a file is missing.
 *
 * - `<!-- include path -->` becomes the file `path`, in which the same replacements are made.
 * - The lines from `<!-- frame path name="value" … -->` to `<!-- end -->` (same indentation) become the file `path`.
 *   In this file, `{name}` becomes the value. The replaced lines are split at `<!-- part row -->`: the lines before it
 *   go to the file's `<!-- part head -->`, and the lines after it go to the file's `<!-- part row -->`.
 */
export function pageText(file: string, read: Read = readSource): string {
  return read(file)
    .replace(
      /^([ \t]*)<!-- frame (\S+) (.*) -->\n((?:.|\n)*?)\n\1<!-- end -->/gm,
      (_, indent: string, frame: string, words: string, content: string) =>
        indented(framed(read(frame), words, content), indent),
    )
    .replace(/^([ \t]*)<!-- include (\S+) -->/gm, (_, indent: string, partial: string) =>
      indented(pageText(partial, read), indent),
    );
}

function framed(frame: string, words: string, content: string): string {
  const values = Object.fromEntries(Array.from(words.matchAll(/(\w+)="(.*?)"/g), ([, name, value]) => [name, value]));
  const [head = "", row = ""] = content.split(/^ *<!-- part row -->\n/m);
  const parts: Record<string, string> = { head, row };
  return frame
    .replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")
    .replace(/^( *)<!-- part (\w+) -->/gm, (_, inner: string, name: string) => indented(parts[name] ?? "", inner));
}

function indented(text: string, indent: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, indent);
}
