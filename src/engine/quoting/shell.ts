import { encodeUtf8, holdsRawBytes } from "./utf8.ts";

/** `sh` is POSIX, so also bash and zsh; `powershell` is 5.1 and 7; `cmd` is a typed line, not a batch file. */
export const SHELLS = ["sh", "fish", "powershell", "cmd"] as const;

export type Shell = (typeof SHELLS)[number];

/**
 * `value` (lossless text, as in `utf8.ts`) as one word that `shell` reads back exactly. Safe to paste: control and
 * bidirectional characters are escaped, since a raw one could end the paste or disguise what runs. Throws for values
 * that `unspeakable` rejects.
 *
 * PowerShell passes a `"` in an argument to a native program only since version 7.3.
 */
export function quoted(value: string, shell: Shell): string {
  const problem = unspeakable(value, shell);
  if (problem !== null) throw new Error(problem);
  switch (shell) {
    case "sh":
      return quotedForSh(value);
    case "fish":
      return quotedForFish(value);
    case "powershell":
      return quotedForPowerShell(value);
    case "cmd":
      return quotedForCmd(value);
  }
}

export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:)?\\/.test(path);
}

/** One word that PowerShell and cmd read in the same way; if `value` does not allow that, a word for PowerShell. */
export function quotedForWindows(value: string): string {
  const tellsThemApart = /["$`%\u201c-\u201e]|\\$/.test(value) || UNSEEN.test(value);
  return tellsThemApart ? quoted(value, "powershell") : `"${value}"`;
}

/** The line that sets an environment variable for the shell's session. `name` is a plain identifier. */
export function assigned(name: string, value: string, shell: Shell): string {
  switch (shell) {
    case "sh":
      return `export ${name}=${quoted(value, shell)}`;
    case "fish":
      return `set -gx ${name} ${quoted(value, shell)}`;
    case "powershell":
      return `$env:${name} = ${quoted(value, shell)}`;
    case "cmd":
      return /["%!]/.test(value) ? `set ${name}=${withCarets(value)}` : `set "${name}=${value}"`;
  }
}

/** Why `shell` cannot express this value, as a sentence; `null` if it can. */
export function unspeakable(value: string, shell: Shell): string | null {
  if (value.includes("\0")) return "It contains a zero byte, which no command line can contain.";
  if (shell === "powershell" && holdsRawBytes(value))
    return "It contains bytes that are not text, which PowerShell cannot pass on.";
  if (shell === "cmd" && !/^[ -~]*$/.test(value))
    return "It contains line breaks, or control or non-ASCII characters, which cmd cannot pass on safely.";
  return null;
}

/** Matches words that sh and fish read literally without quotes. PowerShell and cmd have narrower rules. */
const BARE_WORD = /^[A-Za-z0-9_/.:@,+-]+$/;

/** Control and format characters (including bidirectional ones), line separators, and raw bytes. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const UNSEEN_RUNS = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+)/u;

/**
 * Quotes for sh; control characters go through `printf`. Command substitution strips line ends at the end, so line ends
 * stay in the quotes: `'a⏎b'"$(printf '\033')"`.
 */
function quotedForSh(value: string): string {
  if (BARE_WORD.test(value)) return value;
  return value
    .split(/((?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])+)/u)
    .map((part, index) => {
      if (index % 2 === 1) return `"$(printf '${octal(encodeUtf8(part))}')"`;
      return part === "" && value !== "" ? "" : `'${part.replaceAll("'", String.raw`'\''`)}'`;
    })
    .join("");
}

/** Bytes as octal escapes that `printf` of every shell reads. */
export function octal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** Quotes for fish: within quotes, only `\` and `'` have a meaning; outside quotes, `\X` stands for a byte. */
function quotedForFish(value: string): string {
  if (BARE_WORD.test(value)) return value;
  return value
    .split(UNSEEN_RUNS)
    .map((part, index) => {
      if (index % 2 === 1) return Array.from(encodeUtf8(part), (byte) => `\\X${hex(byte)}`).join("");
      return part === "" && value !== "" ? "" : `'${part.replaceAll(/[\\']/g, "\\$&")}'`;
    })
    .join("");
}

/** Quotes for PowerShell, which also takes four typographic marks for single quotes. */
function quotedForPowerShell(value: string): string {
  const literal = (part: string) => `'${part.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`;
  if (!UNSEEN.test(value)) return literal(value);
  const terms = value.split(UNSEEN_RUNS).flatMap((part, index) => {
    if (index % 2 === 0) return part === "" && index > 0 ? [] : [literal(part)];
    return part.split("").map((unit) => `[char]0x${unit.charCodeAt(0).toString(16)}`);
  });
  return `(${terms.join(" + ")})`;
}

/** Quotes for the program's C runtime, then for cmd, so that cmd sees no quotes and no operators. */
function quotedForCmd(value: string): string {
  if (/^[A-Za-z0-9_/.:@+-]+$/.test(value)) return value;
  return withCarets(`"${value.replaceAll(/\\+"?|"/g, withDoubledBackslashes)}"`);
}

/**
 * Doubles backslashes before a quote, also before the closing quote that we add. Elsewhere, backslashes have no meaning
 * for the C runtime.
 */
function withDoubledBackslashes(run: string, at: number, value: string): string {
  if (run.endsWith('"')) return `${run.slice(0, -1).repeat(2)}\\"`;
  return at + run.length === value.length ? run.repeat(2) : run;
}

/**
 * Escapes characters for cmd with a caret. On a typed line, cmd expands `%name%` before it reads carets, and has no
 * escape for `%`. A caret after each `%` makes the name unknown.
 */
function withCarets(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 ._/:\\-]|(?<=%)./gs, "^$&");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
