import type { Problem } from "../../engine/model/result.ts";
import type { Bytes } from "../../engine/model/units.ts";
import type { OpensUnpacker, Unpacker } from "../../engine/report/har-text.ts";

/** Unpacks with the browser. Refuses more than `most` unpacked bytes in all with the sentence `tooMuch`. */
export function unpackerOf(most: Bytes, tooMuch: Problem): OpensUnpacker {
  const budget = { left: most };
  return (format) => new StreamUnpacker(new DecompressionStream(format), budget, tooMuch);
}

/** The size of these bytes in gzip, as the browser makes it. */
export async function gzipSizeOf(bytes: Uint8Array): Promise<Bytes> {
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(packed).arrayBuffer()).byteLength;
}

/** A part of the output, the end of the output, or the input taken. */
type Step = { readonly part: Uint8Array } | "ended" | "taken" | "failed";

class StreamUnpacker implements Unpacker {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #budget: { left: Bytes };
  readonly #tooMuch: Problem;
  /** The output that was asked for and has not come; it may come with a later piece. */
  #reading: Promise<Step> | null = null;
  #problem: Problem | null = null;

  constructor({ readable, writable }: DecompressionStream, budget: { left: Bytes }, tooMuch: Problem) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#budget = budget;
    this.#tooMuch = tooMuch;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  async *unpack(bytes: Uint8Array, last: boolean): AsyncGenerator<Uint8Array> {
    let isTaken = false;
    const taken = this.#write(bytes as Uint8Array<ArrayBuffer>, last);
    for (;;) {
      this.#reading ??= this.#read();
      const step = await (isTaken ? this.#reading : Promise.race([this.#reading, taken]));
      if (step === "taken") {
        if (!last) return;
        isTaken = true;
        continue;
      }
      this.#reading = null;
      if (step === "failed") this.#problem ??= "This compressed file is damaged or was cut off.";
      if (step === "failed" || step === "ended") return;
      this.#budget.left -= step.part.length;
      if (this.#budget.left < 0) this.#problem = this.#tooMuch;
      if (this.#problem !== null) return;
      yield step.part;
    }
  }

  close(): void {
    void this.#reader.cancel().catch(() => {});
  }

  async #write(bytes: Uint8Array<ArrayBuffer>, last: boolean): Promise<Step> {
    try {
      await this.#writer.write(bytes);
      if (last) await this.#writer.close();
      return "taken";
    } catch {
      return "failed";
    }
  }

  async #read(): Promise<Step> {
    try {
      const { value, done } = await this.#reader.read();
      return done ? "ended" : { part: value };
    } catch {
      return "failed";
    }
  }
}
