import * as fc from "fast-check";
import { anyCharacter } from "./any-character.ts";

/** Texts with a meaning in some shell, language or terminal. */
const TRAPS = [
  "'",
  '"',
  "`",
  "\\",
  "$(touch pwned)",
  "`touch pwned`",
  "$HOME",
  // Joined, because a shell would expand this text, and biome would turn a single string into a template.
  ["$", "{PATH}"].join(""),
  "%PATH%",
  "%PATH:~0,1%",
  "%",
  "%%",
  "!!",
  "!",
  "^",
  "&",
  "|",
  ";",
  "> pwned",
  "<",
  "\n",
  "\r\n",
  "\t",
  " ",
  "  ",
  "*",
  "?",
  "[a-z]",
  "{a,b}",
  "~",
  "#",
  "#{1}",
  "=ls",
  "-",
  "--",
  "-o pwned",
  "@/etc/hostname",
  "\u001b]0;x\u0007",
  "\u001b[201~",
  "\u0003",
  "\u007f",
  "\u0085",
  "\u202e",
  "\u2028",
  "\ufeff",
  "\u2018",
  "\u2019",
  "\u201b",
  "\u00a0",
  "\u00e9",
  "\u{1f600}",
  "\u{e0041}",
  "\\u0022",
  "\\n",
  "\\",
  "'@",
  "a",
  "0",
];

/** Text that is easily misread, without zero bytes. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...TRAPS) },
      {
        weight: 1,
        arbitrary: fc.string({ unit: anyCharacter, maxLength: 4 }).map((text) => text.replaceAll("\0", "")),
      },
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(""));
