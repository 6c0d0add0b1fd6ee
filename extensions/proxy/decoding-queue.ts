import type { BodyDecoded } from "../../src/engine/capture/event.ts";
import type { Bytes, ExchangeId } from "../../src/engine/model/units.ts";
import { decodedSize } from "./body-decoding.ts";
import type { SessionReader } from "./storage/session-reader.ts";

/** Our choice: bodies that may wait to be measured; under more load than that, the oldest stay unmeasured. */
const MOST_WAITING = 20_000;

/** Our choice: bodies measured in one go, so that the engine's thread is never away for long. */
const AT_ONCE = 50;

interface Waiting {
  readonly id: ExchangeId;
  readonly contentEncoding: string;
  /** Of the body as transferred: with fewer bytes kept it cannot be told. */
  readonly size: Bytes;
}

/** Finds out how large encoded response bodies are after decoding, off the forwarding path, when there is time. */
export class DecodingQueue {
  #waiting: Waiting[] = [];
  #busy = false;

  add(id: ExchangeId, contentEncoding: string, size: Bytes): void {
    this.#waiting.push({ id, contentEncoding, size });
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING / 2);
  }

  /** Measures some of what waits; `null` while it is still at it, or without work. */
  async measure(reader: SessionReader | null): Promise<readonly BodyDecoded[] | null> {
    if (this.#busy || this.#waiting.length === 0 || reader === null) return null;
    this.#busy = true;
    try {
      const some = this.#waiting.splice(0, AT_ONCE);
      return await Promise.all(
        some.map(async ({ id, contentEncoding, size }) => {
          const body = reader.readBody(id, "response", 0, size);
          const isWhole = body.kind === "bytes" && body.bytes.length === size;
          const decoded = isWhole ? await decodedSize(body.bytes, contentEncoding) : null;
          return { type: "body-decoded", id, size: decoded } as const;
        }),
      );
    } finally {
      this.#busy = false;
    }
  }
}
