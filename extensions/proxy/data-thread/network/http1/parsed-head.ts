import { type Fields, linesOf } from "./fields.ts";
import type { Framing, HeaderLine } from "./message.ts";

/**
 * The common part of request and response heads. `headers` is parsed on first use, because most heads are forwarded
 * without it.
 */
export class ParsedHead {
  readonly text: string;
  readonly version: "1.0" | "1.1";
  readonly framing: Framing;
  readonly notable: readonly HeaderLine[];
  readonly options: readonly string[];
  #headers: readonly HeaderLine[] | null = null;

  constructor(text: string, version: "1.0" | "1.1", fields: Fields, framing: Framing) {
    this.text = text;
    this.version = version;
    this.framing = framing;
    this.notable = fields.notable;
    this.options = fields.options;
  }

  get headers(): readonly HeaderLine[] {
    this.#headers ??= Object.freeze(linesOf(this.text, this.text.indexOf("\r\n") + 2));
    return this.#headers;
  }

  /**
   * Whether the sender allows another message on the connection (RFC 9112, 9.3). Default: HTTP/1.0 clients get
   * keep-alive if they ask for it, as load generators do.
   */
  get keepAlive(): boolean {
    if (this.options.includes("close")) return false;
    return this.version === "1.1" || this.options.includes("keep-alive");
  }
}
