import { Buffer } from "node:buffer";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import { LINE_SIZE, looseSizeOf, type Size, sizeOf } from "./chunk-line.ts";
import { CR, fieldsOf, LF, linesOf } from "./fields.ts";
import { type BodyEvent, type EndEvent, type Limits, type Refusal, refusal } from "./message.ts";
import { repairedEnd } from "./repairs.ts";
import { SectionReader } from "./section-reader.ts";

/** RFC 9110, 6.5.1: trailers must not contain fields for framing, routing or connections. */
const NEVER_IN_TRAILERS = new Set(["connection", "content-length", "host", "te", "transfer-encoding", "upgrade"]);
const LINE_END = Buffer.from("\r\n");
/** The most chunks of one event. A read of 64 KB may have 10,000, for which one event would take too long. */
const MOST_CHUNKS = 64;
/** Pieces of a body that are smaller on average are joined, because each piece costs more than its copy. */
const SMALL: Bytes = 4 * 1024;

/**
 * Parses chunked bodies (RFC 9112, 7.1), one after the other. Incomplete size lines and an incomplete end are held back. So the `wire` of
 * a body event has only whole size lines, and the `wire` of the end event has the last chunk and all trailers.
 *
 *   size line ─▶ data ─▶ CR ─▶ LF ─▶ size line … ─▶ size line of 0 with trailers and empty line
 */
export class Chunks {
  readonly #limits: Limits;
  readonly #ending: SectionReader<EndEvent>;
  /** Repairs made for a sender that is parsed leniently; `null` if all errors are refused. */
  readonly #repairs: Set<Repair> | null;
  #state: "size" | "data" | "cr" | "lf" | "ending" = "size";
  #left = 0;
  /** Whether the chunk's data ended with CR. The chunk may then be shorter than it declares. */
  #endsInCr = false;
  /** The beginning of a size line whose end is missing. */
  #held: Buffer | null = null;
  #to = 0;

  constructor(limits: Limits, repairs: Set<Repair> | null) {
    this.#limits = limits;
    this.#repairs = repairs;
    this.#ending = new SectionReader<EndEvent>(limits.headSize, {
      startLineFault: () => null,
      read: (wire) => this.#endOf(wire),
      loose: repairs && {
        repairs,
        startLineFault: () => null,
        read: (lines) => this.#endOf(repairedEnd(lines, repairs)),
      },
    });
  }

  /** The offset at which the last `read` stopped. */
  get to(): number {
    return this.#to;
  }

  /**
   * Parses `bytes` from the offset `from` up to the next event, which has at most `MOST_CHUNKS` chunks; returns `null`
   * if all bytes were used without an event.
   */
  read(bytes: Buffer, from: number): BodyEvent | EndEvent | Refusal | null {
    if (this.#state === "ending") return this.#end(bytes, from);
    const data: Buffer[] = [];
    const wire = new Wire(bytes, from);
    let chunks = 0;
    let at = from;
    while (at < bytes.length && chunks < MOST_CHUNKS) {
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
        const hasData = size?.kind === "size" && size.size > 0;
        if (!hasData && at > from) break;
        if (!hasData) return this.#turn(bytes, at, piece, line, size);
        if (size.line !== piece) wire.replace(at, piece.length, size.line);
        this.#held = null;
        this.#left = size.size;
        this.#state = "data";
        chunks += 1;
        at += piece.length;
      } else {
        const isRight: boolean = bytes[at] === (this.#state === "cr" ? CR : LF);
        if (!isRight && !this.#mayRepairEnd(bytes[at])) {
          if (at > from) break;
          return refusal(400, "a chunk longer than its size");
        }
        if (!isRight) wire.replace(at, 1, LINE_END);
        this.#state = isRight && this.#state === "cr" ? "lf" : "size";
        at += 1;
      }
    }
    this.#to = at;
    return { kind: "body", wire: wire.upTo(at), data: joinedIfSmall(data) };
  }

  #sizeOf(line: Buffer): Size {
    const size = sizeOf(line);
    return size?.kind === "refused" && this.#repairs !== null ? looseSizeOf(line, this.#repairs) : size;
  }

  /** Whether this unexpected byte after a chunk's data is a bare line feed, which is accepted with repairs. */
  #mayRepairEnd(byte: number | undefined): boolean {
    if (this.#repairs === null || this.#state !== "cr" || byte !== LF || this.#endsInCr) return false;
    this.#repairs.add("repaired:bare-line-feed");
    return true;
  }

  /**
   * Handles a size line without data: invalid, incomplete, or of the last chunk. The bytes before this line were
   * already emitted.
   */
  #turn(bytes: Buffer, from: number, piece: Buffer, line: Buffer, size: Size): ReturnType<Chunks["read"]> {
    if (size?.kind === "refused") return size;
    const to = from + piece.length;
    this.#to = to;
    this.#held = size === null ? line : null;
    if (size === null) return null;
    this.#state = "ending";
    return size.line === piece ? this.#end(bytes, from) : (this.#end(size.line, 0) ?? this.#end(bytes, to));
  }

  #end(bytes: Buffer, from: number): EndEvent | Refusal | null {
    const end = this.#ending.feed(bytes, from);
    this.#to = this.#ending.to;
    if (end !== null) this.#state = "size";
    return end;
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

/** The bytes to forward for the bytes that were read: a view of them, or a copy if any were replaced. */
class Wire {
  readonly #bytes: Buffer;
  #from: number;
  readonly #parts: Buffer[] = [];

  constructor(bytes: Buffer, from: number) {
    this.#bytes = bytes;
    this.#from = from;
  }

  replace(at: number, length: number, by: Buffer): void {
    this.#parts.push(this.#bytes.subarray(this.#from, at), by);
    this.#from = at + length;
  }

  upTo(end: number): Buffer {
    const last = this.#bytes.subarray(this.#from, end);
    return this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
  }
}

function joinedIfSmall(pieces: readonly Buffer[]): readonly Buffer[] {
  if (pieces.length < 2) return pieces;
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  return size < pieces.length * SMALL ? [Buffer.concat(pieces, size)] : pieces;
}

/** The bytes from `from` to the line feed or the end, but at most `LINE_SIZE + 1`. */
function lineAt(bytes: Buffer, from: number): Buffer {
  const feed = bytes.indexOf(LF, from);
  const end = feed === -1 ? bytes.length : feed + 1;
  return bytes.subarray(from, Math.min(end, from + LINE_SIZE + 1));
}
