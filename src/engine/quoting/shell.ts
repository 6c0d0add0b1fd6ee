import { encodeUtf8, holdsRawBytes } from "./utf8.ts";

/** `sh` is POSIX, and so bash and zsh; `powershell` is 5.1 and 7; `cmd` is what is typed, not what stands in a batch file. */
export const SHELLS = ["sh", "fish", "powershell", "cmd"] as const;

export type Shell = (typeof SHELLS)[number];

/**
 * `value` as one word that `shell` reads back as exactly that value. It is safe to paste: control and bidirectional
 * characters are spelled, since a raw one could end the paste or show another text than what runs. A byte that is no
 * UTF-8 stands in `value` as in `utf8.ts`. Throws for what `unspeakable` names.
 *
 * PowerShell: a native program gets a `"` in its argument only since version 7.3.
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

/** As one word that PowerShell and cmd read alike where the value allows it, for who may have either; else PowerShell's. */
export function quotedForWindows(value: string): string {
  const tellsThemApart = /["$`%\u201c-\u201e]|\\$/.test(value) || UNSEEN.test(value);
  return tellsThemApart ? quoted(value, "powershell") : `"${value}"`;
}

/** The line that sets an environment variable for the rest of the session. `name` is a plain identifier. */
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

/** Why `shell` cannot be given this value, as a sentence; `null` if it can. */
export function unspeakable(value: string, shell: Shell): string | null {
  if (value.includes("\0")) return "It holds a zero byte, which no command line can carry.";
  if (shell === "powershell" && holdsRawBytes(value))
    return "It holds bytes that are no text, which PowerShell cannot pass on.";
  if (shell === "cmd" && !/^[ -~]*$/.test(value))
    return "It holds line breaks, control characters or letters outside ASCII, which cmd cannot pass on safely.";
  return null;
}

/** Words that no shell here but PowerShell and cmd reads in any other way; no `=`, `~`, `%` or `^`. */
const BARE_WORD = /^[A-Za-z0-9_/.:@,+-]+$/;

/** Controls, format characters (bidirectional ones among them), line separators, and what stands for raw bytes. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const UNSEEN_RUNS = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+)/u;

/** A substitution loses line ends at its end, so those stay in the quotes: `'a⏎b'"$(printf '\033')"`. */
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

/** Bytes as `printf` formats of every shell spell them. */
export function octal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** Inside fish's quotes only `\` and `'` are special; outside, `\X` is a byte. */
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

/** PowerShell takes four typographic marks for a single quote as well. */
function quotedForPowerShell(value: string): string {
  const literal = (part: string) => `'${part.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`;
  if (!UNSEEN.test(value)) return literal(value);
  const terms = value.split(UNSEEN_RUNS).flatMap((part, index) => {
    if (index % 2 === 0) return part === "" && index > 0 ? [] : [literal(part)];
    return part.split("").map((unit) => `[char]0x${unit.charCodeAt(0).toString(16)}`);
  });
  return `(${terms.join(" + ")})`;
}

/** First as the program's own C runtime reads its command line, then so that cmd sees neither quote nor operator. */
function quotedForCmd(value: string): string {
  if (/^[A-Za-z0-9_/.:@+-]+$/.test(value)) return value;
  return withCarets(`"${value.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`);
}

/**
 * A caret makes the next character plain. cmd replaces `%name%` before it looks at carets and has no escape for `%`
 * on a typed line; so the character after a `%` always gets a caret, and the name it would look up is none.
 */
function withCarets(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 ._/:\\-]|(?<=%)./gs, "^$&");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
