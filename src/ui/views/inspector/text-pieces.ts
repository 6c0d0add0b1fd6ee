import type { Steps } from "../../state/in-slices.ts";

/** Bytes decoded in one step. A step takes some milliseconds. */
const BYTES_AT_ONCE = 512 * 1024;

/** Decodes bytes that arrive in pieces. No decoded text ends inside a character, or between CR and LF. */
export class TextPieces {
  readonly #decoder: TextDecoder;
  /** A CR at the end of a piece, kept until the next piece arrives. */
  #held = "";

  constructor(decoder: TextDecoder) {
    this.#decoder = decoder;
  }

  next(bytes: Uint8Array, isLast: boolean): string {
    const text = this.#held + this.#decoder.decode(bytes, { stream: !isLast });
    this.#held = !isLast && text.endsWith("\r") ? "\r" : "";
    return this.#held === "" ? text : text.slice(0, -1);
  }
}

export function* decodedSteps(bytes: Uint8Array, decoder: TextDecoder): Steps<string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    pieces.push(decoder.decode(bytes.subarray(at, at + BYTES_AT_ONCE), { stream: true }));
    yield;
  }
  pieces.push(decoder.decode());
  return pieces.join("");
}

/** The lines of a text; a line ends with CR, LF or CR LF. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/);
}
