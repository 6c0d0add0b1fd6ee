/** Text out of bytes that come in pieces: no character and no CR LF is split, wherever the bytes are cut. */
export class TextPieces {
  readonly #decoder: TextDecoder;
  /** A CR at the end of a piece waits for what follows it. */
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

/** The lines of a text, whichever of the three breaks it uses. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/);
}
