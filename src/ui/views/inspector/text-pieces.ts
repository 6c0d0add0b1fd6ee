/** Decodes bytes that arrive in pieces; no character and no CR LF is split at their boundaries. */
export class TextPieces {
  readonly #decoder: TextDecoder;
  /** A CR at the end of a piece, held until the next one. */
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

/** The lines of a text with any of the three line breaks. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/);
}
