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
 * - `<!-- include path name="value" … -->` becomes the file `path`, in which `{name}` becomes the value, and the same
 *   replacements are made.
 * - The lines from `<!-- frame path name="value" … -->` to `<!-- end -->` (same indentation) become the file `path`,
 *   with the values in it. The replaced lines are split at `<!-- part row -->`: the lines before it go to the file's
 *   `<!-- part head -->`, and the lines after it go to the file's `<!-- part row -->`.
 */
export function pageText(file: string, read: Read = readSource): string {
  return joined(read(file), read);
}

function joined(text: string, read: Read): string {
  return text
    .replace(
      /^([ \t]*)<!-- frame (\S+) (.*) -->\n((?:.|\n)*?)\n\1<!-- end -->/gm,
      (_, indent: string, frame: string, words: string, content: string) =>
        indented(framed(read(frame), words, content), indent),
    )
    .replace(/^([ \t]*)<!-- include (\S+)(.*) -->/gm, (_, indent: string, partial: string, words: string) =>
      indented(joined(withValues(read(partial), words), read), indent),
    );
}

function framed(frame: string, words: string, content: string): string {
  const [head = "", row = ""] = content.split(/^ *<!-- part row -->\n/m);
  const parts: Record<string, string> = { head, row };
  return withValues(frame, words).replace(/^( *)<!-- part (\w+) -->/gm, (_, inner: string, name: string) =>
    indented(parts[name] ?? "", inner),
  );
}

/** A text with values, written as `name="value"`, in place of their names in braces. */
function withValues(text: string, words: string): string {
  const values = new Map(Array.from(words.matchAll(/(\w+)="(.*?)"/g), ([, name = "", value = ""]) => [name, value]));
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
}

function indented(text: string, indent: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, indent);
}
