import type { BodyDecoded, CaptureEvent } from "../../src/engine/capture/event.ts";
import type { Bytes, ExchangeId } from "../../src/engine/model/units.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { decodedSize } from "./body-decoding.ts";
import type { SessionReader } from "./storage/session-reader.ts";

/** Our choice: bodies that may wait to be measured; under more load than that, the oldest stay unmeasured. */
const MOST_WAITING = 20_000;

/** Our choice: bodies measured in one go, so that the engine's thread is never away for long. */
const AT_ONCE = 50;

type Encodings = Pick<Session, "contentEncoding">;

interface Waiting {
  readonly id: ExchangeId;
  readonly contentEncoding: string;
  /** Of the body as transferred: with fewer bytes kept it cannot be told. */
  readonly size: Bytes;
}

/** Finds out how large encoded response bodies are after decoding, off the forwarding path, when there is time. */
export class DecodingQueue {
  #waiting: Waiting[] = [];
  /** Whose exchanges wait. */
  #session: Encodings | null = null;
  #busy = false;

  /** Queues the bodies that have ended, of the session that has just taken these events. */
  take(events: readonly CaptureEvent[], session: Encodings): void {
    this.#turnTo(session);
    for (const event of events) {
      if (event.type !== "exchange-ended" || event.encodedBodySize === 0) continue;
      const contentEncoding = session.contentEncoding(event.id);
      if (contentEncoding === null || contentEncoding === "identity") continue;
      this.#waiting.push({ id: event.id, contentEncoding, size: event.encodedBodySize });
      if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING / 2);
    }
  }

  /** Measures some of what waits of that session, which `reader` reads; `null` while it is still at it, or without work. */
  async measure(session: Encodings, reader: SessionReader | null): Promise<readonly BodyDecoded[] | null> {
    this.#turnTo(session);
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

  /** Bodies of exchanges that another session had alone cannot be read with this one's, and would be told as if they did not decode. */
  #turnTo(session: Encodings): void {
    if (this.#session === session) return;
    this.#session = session;
    this.#waiting = this.#waiting.filter(({ id }) => session.contentEncoding(id) !== null);
  }
}
