import type { Buffer } from "node:buffer";
import type { Limits } from "./limits.ts";
import type { RequestEvent, RequestHead } from "./message.ts";
import { MessageReader } from "./message-reader.ts";
import { requestHeadOf } from "./request-head.ts";
import { requestLineOf } from "./request-line.ts";

/** Our choice; old clients send one after a body (RFC 9112, 2.2). */
const EMPTY_LINES = 4;

/** Reads the requests of one connection. After the `end` of CONNECT or of an upgrade, `rest` has the other protocol. */
export class RequestReader {
  readonly #reader: MessageReader<RequestHead>;

  constructor(limits: Limits) {
    this.#reader = new MessageReader(limits, {
      emptyLines: EMPTY_LINES,
      judge: (startLine) => {
        const line = requestLineOf(startLine, startLine.toString("latin1"));
        return line.kind === "refused" ? line : null;
      },
      read: (section) => requestHeadOf(section, limits),
    });
  }

  feed(bytes: Buffer): void {
    this.#reader.feed(bytes);
  }

  next(): RequestEvent | null {
    return this.#reader.next();
  }

  /** Takes the bytes that were fed and belong to no request yet. */
  rest(): Buffer {
    return this.#reader.rest();
  }

  /** Whether the first byte of a next head was fed; empty lines before it do not count. */
  get started(): boolean {
    return this.#reader.started;
  }
}
