import type { Buffer } from "node:buffer";
import type { Limits } from "./limits.ts";
import type { ResponseEvent, ResponseHead } from "./message.ts";
import { MessageReader } from "./message-reader.ts";
import { responseHeadOf } from "./response-head.ts";
import { statusLineOf } from "./status-line.ts";

/**
 * Reads the responses of one connection, each after `expect`. What arrives unasked stays in `rest`.
 *
 *   expect → head(1xx) → end → … → head → body* → end      101 is final: `rest` has the other protocol
 */
export class ResponseReader {
  readonly #reader: MessageReader<ResponseHead>;
  #method: string | null = null;
  #isInterim = false;

  constructor(limits: Limits) {
    this.#reader = new MessageReader(limits, {
      emptyLines: 0,
      judge: (startLine) => {
        const line = statusLineOf(startLine, startLine.toString("latin1"));
        return line.kind === "refused" ? line : null;
      },
      read: (section) => responseHeadOf(section, this.#method ?? "", limits),
    });
  }

  /** A request with `method` was sent: its answer comes next. HEAD and CONNECT change what its length fields mean. */
  expect(method: string): void {
    this.#method = method;
  }

  feed(bytes: Buffer): void {
    this.#reader.feed(bytes);
  }

  next(): ResponseEvent | null {
    if (this.#method === null) return null;
    const event = this.#reader.next();
    if (event?.kind === "head") this.#isInterim = event.head.status < 200 && event.head.status !== 101;
    if (event?.kind === "end" && !this.#isInterim) this.#method = null;
    return event;
  }

  /** Takes the bytes that were fed and belong to no response. */
  rest(): Buffer {
    return this.#reader.rest();
  }

  get hasRest(): boolean {
    return this.#reader.hasRest;
  }

  /**
   * The server sends no more; to be told when `next` had nothing more. `complete`: the response is whole, and `next`
   * gives its `end`. `truncated`: bytes of it are missing. `between`: not one byte of a response came.
   */
  finish(): "complete" | "truncated" | "between" {
    return this.#reader.finish();
  }
}
