import type { MessageCaptured, Side } from "../../../../src/engine/capture/event.ts";
import type { Bytes, Instant } from "../../../../src/engine/model/units.ts";
import type { ResponseHead } from "../http1/message.ts";
import type { Failure } from "../sockets/error-type.ts";
import type { SpliceObserver } from "../sockets/splice.ts";
import { MessageInflater } from "./message-inflater.ts";
import { FrameReader, type Message } from "./websocket-frames.ts";

/** Records the bytes and messages of a WebSocket. */
interface MessageEmitter {
  passed(side: Side, bytes: Buffer): void;
  message(message: Omit<MessageCaptured, "type" | "id">): void;
}

interface Context {
  readonly now: () => Instant;
  /** The most bytes kept of a message. */
  readonly cap: Bytes;
}

/** Parses both sides of a WebSocket as the bytes pass, and emits the messages, those of each side in order. */
export class WebSocketObserver implements SpliceObserver {
  readonly #emitter: MessageEmitter;
  readonly #request: MessageLine;
  readonly #response: MessageLine;
  readonly #ended: (failure: Failure | null) => void;

  constructor(
    response: ResponseHead,
    emitter: MessageEmitter,
    context: Context,
    ended: (failure: Failure | null) => void,
  ) {
    const extensions = extensionsOf(response);
    this.#emitter = emitter;
    this.#ended = ended;
    this.#request = new MessageLine("request", extensions?.includes("client_no_context_takeover"), emitter, context);
    this.#response = new MessageLine("response", extensions?.includes("server_no_context_takeover"), emitter, context);
  }

  passed(side: Side, bytes: Buffer): void {
    this.#emitter.passed(side, bytes);
    (side === "request" ? this.#request : this.#response).feed(bytes);
  }

  /**
   * Ends the exchange once its last messages have been inflated and emitted. The end is in order only if one side sent
   * a close frame (RFC 6455, 7.1.4).
   */
  ended(failure: Failure | null, first: Side | null): void {
    const isClosed = this.#request.closed || this.#response.closed;
    const outcome = isClosed ? null : (failure ?? abnormal(first));
    this.#request.end(() => this.#response.end(() => this.#ended(outcome)));
  }
}

/** The failure for an end without a close frame (RFC 6455, 7.1.5: code 1006). */
function abnormal(first: Side | null): Failure {
  return first === "request"
    ? { errorType: "client-aborted", detail: "The client ended the WebSocket without a close frame." }
    : { errorType: "server-closed", detail: "The server ended the WebSocket without a close frame." };
}

/**
 * Default; not from a specification: the most bytes of messages that wait while an earlier one is inflated. Above this,
 * the side's messages are no longer inflated, and are emitted as cut off.
 */
const MOST_PENDING: Bytes = 32 * 1024 * 1024;
/** The estimated memory of a message apart from its bytes. Used only for `MOST_PENDING`. */
const WEIGHT: Bytes = 300;

/** The messages of one side on their way to the emitter. */
class MessageLine {
  closed = false;
  readonly #side: Side;
  readonly #emitter: MessageEmitter;
  readonly #context: Context;
  readonly #frames: FrameReader;
  readonly #inflater: MessageInflater | null;
  /**
   * Steps that wait until an earlier message is inflated. `#before` has the older ones in reverse order, `#since` the
   * rest.
   */
  #before: (() => void)[] = [];
  #since: (() => void)[] = [];
  #weight: Bytes = 0;
  #busy = false;
  #isDraining = false;

  /** `resets`: whether each message is deflated independently; `undefined` if none is deflated. */
  constructor(side: Side, resets: boolean | undefined, emitter: MessageEmitter, context: Context) {
    this.#side = side;
    this.#emitter = emitter;
    this.#context = context;
    this.#inflater = resets === undefined ? null : new MessageInflater(context.cap, !resets);
    this.#frames = new FrameReader(context.cap, (message) => this.#add(message));
  }

  feed(bytes: Buffer): void {
    this.#frames.feed(bytes);
  }

  /** Calls `done` once all received messages were emitted. */
  end(done: () => void): void {
    this.#inOrder(() => {
      this.#inflater?.close();
      done();
    });
  }

  #add(message: Message): void {
    if (message.kind === "close") this.closed = true;
    if (this.#weight > MOST_PENDING) this.#inflater?.giveUp();
    const at = this.#context.now();
    const weight = message.bytes.length + WEIGHT;
    this.#weight += weight;
    this.#inOrder(() => {
      this.#weight -= weight;
      this.#emitMessage(message, at);
    });
  }

  #inOrder(step: () => void): void {
    this.#since.push(step);
    this.#continue();
  }

  /**
   * Runs the waiting steps in order. A loop instead of recursion: when inflating is given up, thousands of waiting
   * messages are emitted at once.
   */
  #continue(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    while (!this.#busy) {
      if (this.#before.length === 0) [this.#before, this.#since] = [this.#since.reverse(), this.#before];
      const next = this.#before.pop();
      if (next === undefined) break;
      next();
    }
    this.#isDraining = false;
  }

  #emitMessage(message: Message, at: Instant): void {
    const { kind, size, bytes, deflated } = message;
    const isWhole = bytes.length === size;
    const record = (shown: Uint8Array, cut: boolean): void =>
      this.#emitter.message({ at, side: this.#side, kind, size, bytes: shown, cut });
    if (!deflated || this.#inflater === null) return record(bytes, !isWhole);
    this.#busy = true;
    this.#inflater.inflate(isWhole ? bytes : null, (inflated) => {
      record(inflated.bytes, inflated.cut);
      this.#busy = false;
      this.#continue();
    });
  }
}

/**
 * The parameters of permessage-deflate that the server accepted (RFC 7692, 7.1); `null` if it did not accept the
 * extension.
 */
function extensionsOf(response: ResponseHead): readonly string[] | null {
  const accepted = response.headers.filter(({ name }) => name === "sec-websocket-extensions").map(({ value }) => value);
  const [name, ...parameters] = accepted
    .join(",")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  return name === "permessage-deflate" ? parameters : null;
}
