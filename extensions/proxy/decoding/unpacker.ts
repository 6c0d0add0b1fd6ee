import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw, inflateRawSync } from "node:zlib";
import { type Problem, success } from "../../../src/engine/model/result.ts";
import type { Bytes } from "../../../src/engine/model/units.ts";
import type { OpensUnpacker, Unpacker } from "../../../src/engine/report/har-text.ts";
import {
  DAMAGED as DAMAGED_FILE,
  type Inflate,
  mostUnpacked,
  TOO_LARGE,
} from "../../../src/engine/report/zip-archive.ts";
import { DECODING_LIMITS } from "./decoder-run.ts";

/** Decompressed bytes above which their ratio to the compressed bytes is limited. */
const RATIO_COUNTS_FROM: Bytes = 16 * 1024 * 1024;

const CHUNK: Bytes = 64 * 1024;

const CUT = "This compressed file was cut off.";
const DAMAGED = "This compressed file is damaged.";
const BOMB = `This file grows more than ${DECODING_LIMITS.ratio} times when unpacked, so Weir does not read it.`;

/** Unpacks on libuv's threads. */
export const openUnpacker: OpensUnpacker = (format) =>
  new ZlibUnpacker((format === "gzip" ? createGunzip : createInflateRaw)({ chunkSize: CHUNK }));

/** Unpacks a small file of a zip archive at once. */
export const inflateFile: Inflate = (bytes) => {
  try {
    return success(inflateRawSync(bytes, { maxOutputLength: mostUnpacked(bytes.length) }));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? TOO_LARGE : DAMAGED_FILE;
  }
};

/** Decompresses pieces with Node.js as they arrive, with backpressure. */
class ZlibUnpacker implements Unpacker {
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

  async *unpack(bytes: Uint8Array, last: boolean): AsyncGenerator<Buffer> {
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
