import { Buffer } from "node:buffer";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import { isHeadByte, withoutBlanks } from "./fields.ts";
import { type Refusal, refusal } from "./message.ts";

/** The most bytes of a chunk-size line with its extensions. RFC 9112, 7.1.1, only requires a limit. */
export const LINE_SIZE = 1_024;
/**
 * Chunk extensions (RFC 9112, 7.1.1) without white space, which llhttp refuses, too. `SIZE_LINE` has already checked
 * the characters.
 */
const EXTENSIONS = /^(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[^"\\]|\\.)*"))?)*$/;
/** A size line, whose end may still be missing. */
const SIZE_LINE = /^([0-9A-Fa-f]+)(;[\t -~\x80-\xff]*)?(\r\n?)?$/;

interface SizeLine {
  readonly kind: "size";
  readonly size: number;
  /** The line to forward, with its CRLF: the received one, or one that replaces it. */
  readonly line: Buffer;
}

/** The result of parsing a size line; `null`: the line's end is missing. */
export type Size = SizeLine | Refusal | null;

/** Parses the size line of a chunk. Leading zeros are not forwarded, since parsers differ in how many they accept. */
export function sizeOf(line: Buffer): Size {
  if (line.length > LINE_SIZE) return refusal(400, `a chunk size line of more than ${LINE_SIZE} bytes`);
  const match = SIZE_LINE.exec(line.toString("latin1"));
  if (match === null) return refusal(400, "a chunk size that is not a hexadecimal number");
  const [, digits = "", extensions = "", end] = match;
  const size = Number.parseInt(digits, 16);
  if (size > Number.MAX_SAFE_INTEGER) return refusal(400, "a chunk size that is too large");
  if (end !== "\r\n") return null;
  if (!EXTENSIONS.test(extensions)) return refusal(400, "a malformed chunk extension");
  return digits.length > 1 && digits.startsWith("0") ? rewritten(digits, extensions) : { kind: "size", size, line };
}

/** The lenient form of `sizeOf`: allows blanks around the size, and a bare line feed as the line's end. */
export function looseSizeOf(line: Buffer, repairs: Set<Repair>): Size {
  if (line.length > LINE_SIZE) return refusal(400, `a chunk size line of more than ${LINE_SIZE} bytes`);
  if (!line.every(isHeadByte)) return refusal(400, "a control character in a chunk size line");
  const text = line.toString("latin1");
  const isWhole = text.endsWith("\n");
  const bare = text.replace(/\r?\n$|\r$/, "");
  if (bare.includes("\r")) return refusal(400, "a carriage return without its line feed");
  const [before = ""] = bare.split(";", 1);
  const digits = withoutBlanks(before);
  const isNumber = /^[0-9A-Fa-f]*$/.test(digits) && (digits !== "" || !isWhole);
  if (!isNumber) return refusal(400, "a chunk size that is not a hexadecimal number");
  if (Number.parseInt(digits, 16) > Number.MAX_SAFE_INTEGER) return refusal(400, "a chunk size that is too large");
  if (!isWhole) return null;
  const extensions = withoutBlanksBetween(bare.slice(before.length));
  if (!EXTENSIONS.test(extensions)) return refusal(400, "a malformed chunk extension");
  if (!text.endsWith("\r\n")) {
    // Refused, because some parsers continue an extension after a bare line feed.
    if (extensions !== "") return refusal(400, "a line feed without its carriage return");
    repairs.add("repaired:bare-line-feed");
  }
  if (digits + extensions !== bare) repairs.add("repaired:chunk-size");
  return rewritten(digits, extensions);
}

function rewritten(digits: string, extensions: string): SizeLine {
  const size = digits.replace(/^0+(?=[0-9A-Fa-f])/, "");
  return {
    kind: "size",
    size: Number.parseInt(digits, 16),
    line: Buffer.from(`${size}${extensions}\r\n`, "latin1"),
  };
}

/**
 * Removes blanks around `;` and `=`, where they have no meaning (RFC 9112, 7.1.1). Other blanks stay, and the caller
 * refuses them.
 */
function withoutBlanksBetween(extensions: string): string {
  let kept = "";
  let blanks = "";
  let isQuoted = false;
  for (let at = 0; at < extensions.length; at += 1) {
    const character = extensions.charAt(at);
    if (!isQuoted && (character === " " || character === "\t")) {
      blanks += character;
      continue;
    }
    const isBetween = ";=".includes(character) || ";=".includes(kept.slice(-1));
    kept += isBetween ? character : blanks + character;
    blanks = "";
    if (isQuoted && character === "\\") {
      at += 1;
      kept += extensions.charAt(at);
    } else if (character === '"') isQuoted = !isQuoted;
  }
  return kept;
}
