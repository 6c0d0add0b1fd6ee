import { Buffer } from "node:buffer";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import type { Limits } from "./limits.ts";
import type { ResponseEvent, ResponseHead } from "./message.ts";
import { MessageReader } from "./message-reader.ts";
import type { Refusal } from "./refusal.ts";
import { FRAMING_REPAIRS, repairedHead, repairedStatusLine } from "./repairs.ts";
import { responseHeadOf } from "./response-head.ts";
import { statusLineOf } from "./status-line.ts";

/**
 * Parses the responses of one connection, each after `expect`. Unexpected bytes stay in `rest`.
 *
 *   expect → head(1xx) → end → … → head → body* → end      101 is final: `rest` has the other protocol
 */
export class ResponseReader {
  readonly #reader: MessageReader<ResponseHead>;
  readonly #repairs = new Set<Repair>();
  #method: string | null = null;
  #isInterim = false;

  constructor(limits: Limits) {
    const evaluator = (startLine: Buffer): Refusal | null => {
      const line = statusLineOf(startLine, startLine.toString("latin1"));
      return line.kind === "refused" ? line : null;
    };
    this.#reader = new MessageReader(limits, {
      emptyLines: 0,
      evaluator,
      read: (section) => responseHeadOf(section, this.#method ?? "", limits),
      loose: {
        repairs: this.#repairs,
        evaluator: (startLine) => evaluator(Buffer.from(`${repairedStatusLine(startLine, new Set())}\r\n`, "latin1")),
        read: (lines) => {
          const section = repairedHead(lines, this.#repairs);
          const isDoubtful = FRAMING_REPAIRS.some((repair) => this.#repairs.has(repair));
          return responseHeadOf(section, this.#method ?? "", limits, isDoubtful);
        },
      },
    });
  }

  /** Repairs made to the latest response and to the interim responses before it. */
  get repairs(): ReadonlySet<Repair> {
    return this.#repairs;
  }

  /**
   * Declares that a request with `method` was sent, and that its response comes next. HEAD and CONNECT change the
   * meaning of length fields.
   */
  expect(method: string): void {
    this.#method = method;
    this.#repairs.clear();
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

  /** Removes and returns the bytes that belong to no response. */
  rest(): Buffer {
    return this.#reader.rest();
  }

  get hasRest(): boolean {
    return this.#reader.hasRest;
  }

  /**
   * Declares that the server's side has ended; call this after `next` returned `null`. `complete`: the response is
   * whole, and `next` returns its `end`; `truncated`: bytes of it are missing; `between`: no byte of a response has
   * arrived.
   */
  finish(): "complete" | "truncated" | "between" {
    return this.#reader.finish();
  }
}
