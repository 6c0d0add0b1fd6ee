import { Buffer } from "node:buffer";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import { type EndEvent, type Framing, type Refusal, refusal } from "../http1/message.ts";
import { chunkedEndOf, type RawFields } from "./message-text.ts";

const NOTHING: readonly Buffer[] = Object.freeze([]);
const LINE_END = Buffer.from("\r\n");
const END: EndEvent = Object.freeze({ kind: "end", wire: Buffer.alloc(0) });
/** The end of a chunked body without trailers. */
const LAST_CHUNK: EndEvent = Object.freeze({ kind: "end", wire: Buffer.from("0\r\n\r\n") });

/** Receives a piece of a body: `wire` with chunk framing, `data` without it. */
type BodyWriter = (wire: Buffer, data: readonly Buffer[]) => void;

/**
 * The body of one stream's message, in the framing of HTTP/1.1. nghttp2 finds most errors of its length (RFC 9113,
 * 8.1.1), but the forwarded framing must not depend on nghttp2.
 */
export class StreamBody {
  /** The declared length; 0 if none is declared. */
  readonly length: Bytes;
  readonly #isChunked: boolean;
  #missing: Bytes;

  constructor(framing: Framing) {
    this.#isChunked = framing.kind === "chunked";
    this.length = framing.kind === "length" ? framing.length : 0;
    this.#missing = this.length;
  }

  /** How many bytes of the declared length have not arrived yet. */
  get missing(): Bytes {
    return this.#missing;
  }

  /** Whether the framing shows that no more bytes follow. */
  get isWhole(): boolean {
    return !this.#isChunked && this.#missing === 0;
  }

  /** Emits `bytes` without copying them, as a chunk if the body is chunked (RFC 9112, 7.1). */
  add(bytes: Buffer, emit: BodyWriter): Refusal | null {
    if (!this.#isChunked) {
      if (bytes.length > this.#missing) return refusal(400, "a body longer than its declared length");
      this.#missing -= bytes.length;
      emit(bytes, [bytes]);
    } else if (bytes.length > 0) {
      emit(Buffer.from(`${bytes.length.toString(16)}\r\n`, "latin1"), NOTHING);
      emit(bytes, [bytes]);
      emit(LINE_END, NOTHING);
    }
    return null;
  }

  /** The end of the body, with the trailers that followed it. */
  endWith(trailers: RawFields | null): EndEvent | Refusal {
    if (this.#missing > 0) return refusal(400, "a body shorter than its declared length");
    if (!this.#isChunked) return END;
    return trailers === null ? LAST_CHUNK : chunkedEndOf(trailers);
  }
}

/** The body of a message whose head has not arrived. */
export const NO_BODY = new StreamBody({ kind: "none" });
