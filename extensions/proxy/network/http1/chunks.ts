import { Buffer } from "node:buffer";
import type { Repair } from "../../../../src/engine/model/exchange.ts";
import { CR, LF } from "./characters.ts";
import { LINE_SIZE, looseSizeOf, type Size, sizeOf } from "./chunk-line.ts";
import { fieldsOf, linesOf } from "./fields.ts";
import type { Limits } from "./limits.ts";
import { LooseSection } from "./loose-section.ts";
import type { BodyEvent, EndEvent } from "./message.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { repairedEnd } from "./repairs.ts";
import { Section } from "./section.ts";

/** RFC 9110, 6.5.1: trailers must not contain fields for framing, routing or connections. */
const NEVER_IN_TRAILERS = new Set(["connection", "content-length", "host", "te", "transfer-encoding", "upgrade"]);
const LINE_END = Buffer.from("\r\n");

/**
 * Parses one chunked body (RFC 9112, 7.1). Incomplete size lines and an incomplete end are held back. So the `wire` of
 * a body event has only whole size lines, and the `wire` of the end event has the last chunk and all trailers.
 *
 *   size line ─▶ data ─▶ CR ─▶ LF ─▶ size line … ─▶ size line of 0 with trailers and empty line
 */
export class Chunks {
  readonly #limits: Limits;
  readonly #ending: Section;
  /** Repairs made for a sender that is parsed leniently; `null` if all errors are refused. */
  readonly #repairs: Set<Repair> | null;
  #state: "size" | "data" | "cr" | "lf" | "ending" = "size";
  /** How many bytes of the current chunk's data have not arrived yet. */
  #left = 0;
  /** Whether the chunk's data ended with CR. The chunk may then be shorter than it declares. */
  #endsInCr = false;
  /** The beginning of a size line whose end is missing. */
  #held: Buffer | null = null;
  /** Used in place of `#ending` once `#ending` has found an error. */
  #loose: LooseSection | null = null;
  #to = 0;

  constructor(limits: Limits, repairs: Set<Repair> | null) {
    this.#limits = limits;
    this.#repairs = repairs;
    this.#ending = new Section(limits.headSize, () => null);
  }

  /** The offset at which the last `read` stopped. */
  get to(): number {
    return this.#to;
  }

  /**
   * Parses `bytes` from the offset `from` up to the next event; returns `null` if all bytes were used without an event.
   */
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
        if (this.#left > 0) continue;
        this.#state = "cr";
        this.#endsInCr = bytes[end - 1] === CR;
      } else if (this.#state === "size") {
        const piece = lineAt(bytes, at);
        const line = this.#held === null ? piece : Buffer.concat([this.#held, piece]);
        const size = this.#sizeOf(line);
        const isPlain = typeof size === "number" && size > 0 && this.#held === null;
        if (!isPlain && at > from) break;
        if (!isPlain) return this.#turn(bytes, at, piece.length, line, size);
        this.#begin(size);
        at += piece.length;
      } else {
        const isRight = bytes[at] === (this.#state === "cr" ? CR : LF);
        if (!isRight && at > from) break;
        if (!isRight) return this.#endChunk(bytes[at], at);
        this.#state = this.#state === "cr" ? "lf" : "size";
        at += 1;
      }
    }
    this.#to = at;
    return { kind: "body", wire: bytes.subarray(from, at), data };
  }

  #sizeOf(line: Buffer): Size {
    const size = sizeOf(line);
    const isBad = typeof size === "object" && size?.kind === "refused";
    return isBad && this.#repairs !== null ? looseSizeOf(line, this.#repairs) : size;
  }

  #begin(size: number): void {
    this.#left = size;
    this.#state = "data";
  }

  /** Handles an unexpected byte after a chunk's data. With repairs, a bare line feed is accepted as the line end. */
  #endChunk(byte: number | undefined, at: number): BodyEvent | Refusal {
    if (this.#repairs === null || this.#state !== "cr" || byte !== LF || this.#endsInCr)
      return refusal(400, "a chunk longer than its size");
    this.#repairs.add("repaired:bare-line-feed");
    this.#state = "size";
    this.#to = at + 1;
    return { kind: "body", wire: LINE_END, data: [] };
  }

  /**
   * Handles a size line that `read` cannot forward together with the data around it. Such a line is invalid,
   * incomplete, partly held, to be rewritten, or the last one. The bytes before this line were already emitted.
   */
  #turn(bytes: Buffer, from: number, taken: number, line: Buffer, size: Size): ReturnType<Chunks["read"]> {
    if (typeof size === "object" && size?.kind === "refused") return size;
    const isAsFed = typeof size === "number" && this.#held === null;
    const to = from + taken;
    this.#to = to;
    this.#held = size === null ? line : null;
    if (size === null) return null;
    const told = typeof size === "number" ? { size, line } : size;
    if (told.size > 0) {
      this.#begin(told.size);
      return { kind: "body", wire: told.line, data: [] };
    }
    this.#state = "ending";
    return isAsFed ? this.#end(bytes, from) : (this.#end(told.line, 0) ?? this.#end(bytes, to));
  }

  #end(bytes: Buffer, from: number): EndEvent | Refusal | null {
    if (this.#loose !== null) return this.#endLoosely(this.#loose, bytes, from);
    const before = this.#ending.length;
    const wire = this.#ending.feed(bytes, from);
    const end = Buffer.isBuffer(wire) ? this.#endOf(wire) : wire;
    if (end?.kind === "refused" && end.problem.status === 400 && this.#repairs !== null) {
      const held = Buffer.isBuffer(wire) ? wire : this.#ending.drop();
      this.#loose = new LooseSection(this.#limits.headSize, () => null, this.#repairs);
      this.#loose.feed(held.subarray(0, before), 0);
      return this.#endLoosely(this.#loose, bytes, from);
    }
    this.#to = Buffer.isBuffer(wire) ? from + wire.length - before : bytes.length;
    return end;
  }

  #endLoosely(loose: LooseSection, bytes: Buffer, from: number): EndEvent | Refusal | null {
    const lines = loose.feed(bytes, from);
    this.#to = loose.to;
    if (lines === null || "kind" in lines) return lines;
    return this.#endOf(repairedEnd(lines, this.#repairs ?? new Set()));
  }

  #endOf(wire: Buffer): EndEvent | Refusal {
    const text = wire.toString("latin1");
    const start = text.indexOf("\r\n") + 2;
    const fields = fieldsOf(wire, text, start, this.#limits);
    if (fields.kind === "refused") return fields;
    const forbidden = linesOf(text, start).find((line) => NEVER_IN_TRAILERS.has(line.name));
    return forbidden === undefined ? { kind: "end", wire } : refusal(400, `${forbidden.name} after the body`);
  }
}

/** The bytes from `from` to the line feed or the end, but at most `LINE_SIZE + 1`. */
function lineAt(bytes: Buffer, from: number): Buffer {
  const feed = bytes.indexOf(LF, from);
  const end = feed === -1 ? bytes.length : feed + 1;
  return bytes.subarray(from, Math.min(end, from + LINE_SIZE + 1));
}
