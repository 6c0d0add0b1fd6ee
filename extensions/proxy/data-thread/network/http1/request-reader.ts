import type { Buffer } from "node:buffer";
import type { Limits } from "./limits.ts";
import type { RequestEvent, RequestHead } from "./message.ts";
import { MessageReader } from "./message-reader.ts";
import { requestHeadOf } from "./request-head.ts";
import { requestLineOf } from "./request-line.ts";

/**
 * The most empty lines that are ignored before a request. Old clients send one (RFC
 * 9112, 2.2).
 */
const EMPTY_LINES = 4;

/**
 * Parses the requests of one connection. After the `end` of CONNECT or an upgrade, `rest` returns the other protocol's
 * bytes.
 */
export class RequestReader {
  readonly #reader: MessageReader<RequestHead>;

  constructor(limits: Limits) {
    this.#reader = new MessageReader(limits, {
      emptyLines: EMPTY_LINES,
      evaluator: (startLine) => {
        const line = requestLineOf(startLine, startLine.toString("latin1"));
        return line.kind === "refused" ? line : null;
      },
      read: (section) => requestHeadOf(section, limits),
      loose: null,
    });
  }

  feed(bytes: Buffer): void {
    this.#reader.feed(bytes);
  }

  next(): RequestEvent | null {
    return this.#reader.next();
  }

  /** Removes and returns the bytes that belong to no request yet. */
  rest(): Buffer {
    return this.#reader.rest();
  }

  /** Whether the first byte of the next head was fed. Empty lines before the head do not count. */
  get started(): boolean {
    return this.#reader.started;
  }
}
