import { Buffer } from "node:buffer";
import { CR, LF } from "./characters.ts";
import { fieldsOf, linesOf } from "./fields.ts";
import type { Limits } from "./limits.ts";
import type { BodyEvent, EndEvent } from "./message.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { Section } from "./section.ts";

/** One chunk-size line with its extensions, in bytes; our choice, RFC 9112, 7.1.1 only asks for a limit. */
const LINE_SIZE = 1_024;
/** RFC 9112, 7.1.1, without the white space that llhttp refuses too; what characters there are `SIZE_LINE` has checked. */
const EXTENSIONS = /^(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[^"\\]|\\.)*"))?)*$/;
/** A size line, its end perhaps missing. */
const SIZE_LINE = /^([0-9A-Fa-f]+)(;[\t -~\x80-\xff]*)?(\r\n?)?$/;
/** RFC 9110, 6.5.1: these frame or route a message, or speak of the connection, so they cannot come after its body. */
const NEVER_IN_TRAILERS = new Set(["connection", "content-length", "host", "te", "transfer-encoding", "upgrade"]);

/** What a size line tells; null while its end is missing. */
type Size = number | null | Refusal;

/**
 * Reads one chunked body (RFC 9112, 7.1). Data is never held; a size line cut by the end of a feed is held until it is
 * whole, so `wire` carries no part of one, and the last chunk comes with its trailers.
 *
 *   size line ─▶ data ─▶ CR ─▶ LF ─▶ size line … ─▶ size line of 0 with trailers and empty line
 */
export class Chunks {
  readonly #limits: Limits;
  readonly #ending: Section;
  #state: "size" | "data" | "cr" | "lf" | "ending" = "size";
  /** Bytes of the current chunk's data still to come. */
  #left = 0;
  /** A size line whose end is still to come. */
  #held: Buffer | null = null;
  #to = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#ending = new Section(limits.headSize, () => null);
  }

  /** Where in the bytes of the last `read` it stopped, and the next one goes on. */
  get to(): number {
    return this.#to;
  }

  /** Reads `bytes` from `from` on until there is something to say; null when all was taken and there is not. */
  read(bytes: Buffer, from: number): BodyEvent | EndEvent | Refusal | null {
    if (this.#state === "ending") return this.#end(bytes, from);
    const data: Buffer[] = [];
    let at = from;
    while (at < bytes.length) {
      if (this.#state === "data") {
        const end = Math.min(bytes.length, at + this.#left);
        data.push(bytes.subarray(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#state = "cr";
      } else if (this.#state === "size") {
        const piece = lineAt(bytes, at);
        const line = this.#held === null ? piece : Buffer.concat([this.#held, piece]);
        const size = sizeOf(line);
        const isPlain = typeof size === "number" && size > 0 && this.#held === null;
        if (!isPlain && at > from) break;
        if (!isPlain) return this.#turn(bytes, at, piece.length, line, size);
        this.#begin(size);
        at += piece.length;
      } else {
        const isRight = bytes[at] === (this.#state === "cr" ? CR : LF);
        if (!isRight && at > from) break;
        if (!isRight) return refusal(400, "a chunk longer than its size");
        this.#state = this.#state === "cr" ? "lf" : "size";
        at += 1;
      }
    }
    this.#to = at;
    return { kind: "body", wire: bytes.subarray(from, at), data };
  }

  #begin(size: number): void {
    this.#left = size;
    this.#state = "data";
  }

  /** A size line that is bad, cut, was cut, or is the last one; nothing unsaid stands before it. */
  #turn(bytes: Buffer, from: number, taken: number, line: Buffer, size: Size): ReturnType<Chunks["read"]> {
    if (typeof size === "object" && size !== null) return size;
    const wasCut = this.#held !== null;
    const to = from + taken;
    this.#to = to;
    this.#held = size === null ? line : null;
    if (size === null) return null;
    if (size > 0) {
      this.#begin(size);
      return { kind: "body", wire: line, data: [] };
    }
    this.#state = "ending";
    return wasCut ? (this.#end(line, 0) ?? this.#end(bytes, to)) : this.#end(bytes, from);
  }

  #end(bytes: Buffer, from: number): EndEvent | Refusal | null {
    const before = this.#ending.length;
    const wire = this.#ending.take(bytes, from);
    this.#to = bytes.length;
    if (!Buffer.isBuffer(wire)) return wire;
    this.#to = from + wire.length - before;
    const text = wire.toString("latin1");
    const start = text.indexOf("\r\n") + 2;
    const fields = fieldsOf(wire, text, start, this.#limits);
    if (fields.kind === "refused") return fields;
    const forbidden = linesOf(text, start).find((line) => NEVER_IN_TRAILERS.has(line.name));
    return forbidden === undefined ? { kind: "end", wire } : refusal(400, `${forbidden.name} after the body`);
  }
}

/** From `from` to the line feed, or as far as there are bytes; never much more than a line may have. */
function lineAt(bytes: Buffer, from: number): Buffer {
  const feed = bytes.indexOf(LF, from);
  const end = feed === -1 ? bytes.length : feed + 1;
  return bytes.subarray(from, Math.min(end, from + LINE_SIZE + 1));
}

function sizeOf(line: Buffer): Size {
  if (line.length > LINE_SIZE) return refusal(400, `a chunk size line of more than ${LINE_SIZE} bytes`);
  const match = SIZE_LINE.exec(line.toString("latin1"));
  if (match === null) return refusal(400, "a chunk size that is not a hexadecimal number");
  const [, digits = "", extensions = "", end] = match;
  const size = Number.parseInt(digits, 16);
  if (size > Number.MAX_SAFE_INTEGER) return refusal(400, "a chunk size that is too large");
  if (end !== "\r\n") return null;
  return EXTENSIONS.test(extensions) ? size : refusal(400, "a malformed chunk extension");
}
