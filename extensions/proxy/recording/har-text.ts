import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from "node:zlib";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes } from "../../../src/engine/model/units.ts";
import { DECODING_LIMITS } from "./decompression.ts";
import { harIn, isZip } from "./zip-archive.ts";

/** Decompressed bytes above which their ratio to the compressed bytes is limited. */
const RATIO_COUNTS_FROM: Bytes = 16 * 1024 * 1024;

/** The number of first bytes that identify the kind of a file. */
const SIGNATURE_LENGTH = 4;

const CHUNK: Bytes = 64 * 1024;

/**
 * The largest zip archive. An archive is held in memory, since the list of its files
 * is at its end.
 */
const LARGEST_ZIP: Bytes = 128 * 1024 * 1024;

const LARGE_ZIP = "This zip archive is larger than 128 MB. Unpack it and import the .har file.";
const CUT = "This compressed file was cut off.";
const DAMAGED = "This compressed file is damaged.";
const BOMB = `This file grows more than ${DECODING_LIMITS.ratio} times when unpacked, so Weir does not read it.`;

/**
 * Decodes the text of a HAR file from pieces: UTF-8 or UTF-16 of either byte order (RFC 2781), plain or in gzip, or in
 * a zip archive as Playwright writes it.
 */
export class HarText {
  #start = Buffer.alloc(0);
  #unpacker: Unpacker | null = null;
  /** The zip archive received so far. */
  #zip: Buffer[] | null = null;
  #zipLength: Bytes = 0;
  #decoder: TextDecoder | null = null;
  #isKnown = false;
  #problem: string | null = null;

  /** Why the file cannot be read, as a sentence; `null` while nothing is wrong. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Yields the text of these bytes in parts; ends early once `problem` is set. `last`: these bytes end the file. */
  async *decode(bytes: Uint8Array, last: boolean): AsyncGenerator<string> {
    const piece = this.#recognised(bytes, last);
    if (piece === null || this.#problem !== null) return;
    if (this.#zip !== null) return yield* this.#unzipped(this.#zip, piece, last);
    if (this.#unpacker === null) return yield this.#decoded(piece, last);
    yield* this.#unpacked(this.#unpacker, piece, last);
  }

  /** Closes the decompressor. */
  close(): void {
    this.#unpacker?.close();
  }

  /**
   * Finds out the kind of file from its first bytes, and prepares to unpack it. Returns the bytes to decode; `null`
   * while too few have arrived.
   */
  #recognised(bytes: Uint8Array, last: boolean): Uint8Array | null {
    if (this.#isKnown) return bytes;
    const piece = Buffer.concat([this.#start, bytes]);
    this.#isKnown = piece.length >= SIGNATURE_LENGTH || last;
    this.#start = this.#isKnown ? Buffer.alloc(0) : piece;
    if (!this.#isKnown) return null;
    const [first, second] = piece;
    if (first === 0x1f && second === 0x8b) this.#unpacker = new Unpacker(createGunzip({ chunkSize: CHUNK }));
    if (isZip(piece)) this.#zip = [];
    return piece;
  }

  async *#unzipped(held: Buffer[], piece: Uint8Array, last: boolean): AsyncGenerator<string> {
    held.push(Buffer.from(piece));
    this.#zipLength += piece.length;
    if (this.#zipLength > LARGEST_ZIP) this.#problem = LARGE_ZIP;
    if (!last || this.#problem !== null) return;
    const file = harIn(Buffer.concat(held));
    this.#zip = [];
    if (!file.ok) this.#problem = file.problem;
    else if (!file.value.isDeflated) yield this.#decoded(file.value.bytes, true);
    else {
      this.#unpacker = new Unpacker(createInflateRaw({ chunkSize: CHUNK }));
      yield* this.#unpacked(this.#unpacker, file.value.bytes, true);
    }
  }

  async *#unpacked(unpacker: Unpacker, piece: Uint8Array, last: boolean): AsyncGenerator<string> {
    for await (const part of unpacker.take(piece, last)) yield this.#decoded(part, false);
    this.#problem = unpacker.problem;
    if (last && this.#problem === null) yield this.#decoded(new Uint8Array(0), true);
  }

  #decoded(bytes: Uint8Array, last: boolean): string {
    if (this.#decoder !== null) return this.#decoder.decode(bytes, { stream: !last });
    this.#start = Buffer.concat([this.#start, bytes]);
    if (this.#start.length < SIGNATURE_LENGTH && !last) return "";
    this.#decoder = new TextDecoder(encodingOf(this.#start));
    return this.#decoder.decode(this.#start, { stream: !last });
  }
}

/**
 * The encoding, by the byte order mark. Without a mark: by the zero byte before or after the first character, which is
 * ASCII.
 */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8";
}

/** Decompresses pieces as they arrive, with backpressure. */
class Unpacker {
  readonly #decoder: Gunzip | InflateRaw;
  #came: Bytes = 0;
  #made: Bytes = 0;
  #isEnded = false;
  #problem: string | null = null;
  #wake: () => void = () => {};

  constructor(decoder: Gunzip | InflateRaw) {
    this.#decoder = decoder;
    const end = () => {
      this.#isEnded = true;
      this.#wake();
    };
    this.#decoder.on("readable", () => this.#wake());
    this.#decoder.on("end", end);
    this.#decoder.on("close", end);
    this.#decoder.on("error", (error) => this.#fail(error));
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  async *take(bytes: Uint8Array, last: boolean): AsyncGenerator<Buffer> {
    this.#came += bytes.length;
    let isTaken = false;
    const taken = (error?: Error | null) => {
      isTaken = true;
      if (error) this.#fail(error);
      this.#wake();
    };
    if (this.#isEnded) return;
    // `end` calls back before the last output, so wait for the stream's own end event, which follows the output.
    if (last) this.#decoder.end(bytes);
    else this.#decoder.write(bytes, taken);
    while (this.#problem === null) {
      const part: Buffer | null = this.#decoder.read();
      if (part !== null) {
        this.#made += part.length;
        const isBomb = this.#made > RATIO_COUNTS_FROM && this.#made > this.#came * DECODING_LIMITS.ratio;
        if (isBomb) this.#problem = BOMB;
        else yield part;
        continue;
      }
      if (isTaken || this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#decoder.destroy();
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#problem ??= error.code === "Z_BUF_ERROR" ? CUT : DAMAGED;
    this.#wake();
  }
}
