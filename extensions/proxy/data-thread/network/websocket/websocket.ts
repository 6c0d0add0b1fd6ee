import type { MessageCaptured, Side } from "../../../../../src/engine/capture/event.ts";
import type { Bytes, Instant } from "../../../../../src/engine/model/units.ts";
import type { ResponseHead } from "../http1/message.ts";
import type { Failure } from "../sockets/error-type.ts";
import type { MessageMemory } from "../sockets/message-memory.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import type { SpliceObserver } from "../sockets/splice.ts";
import { MessageInflater } from "./message-inflater.ts";
import { FrameReader, type Message } from "./websocket-frames.ts";

/** Records the bytes and messages of a WebSocket. */
interface MessageEmitter {
  readonly messageMemory: MessageMemory;
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

  passed(side: Side, bytes: Buffer, onHandled: () => void): boolean {
    this.#emitter.passed(side, bytes);
    return (side === "request" ? this.#request : this.#response).feed(bytes, onHandled);
  }

  /**
   * Ends the exchange once its last messages have been inflated and emitted. The end is in order only if one side sent
   * a close frame (RFC 6455, 7.1.4).
   */
  ended(failure: Failure | null, first: Side | null): void {
    this.#request.end(() =>
      this.#response.end(() => {
        const isClosed = this.#request.closed || this.#response.closed;
        this.#ended(isClosed ? null : (failure ?? abnormal(first)));
      }),
    );
  }
}

/** The failure for an end without a close frame (RFC 6455, 7.1.5: code 1006). */
function abnormal(first: Side | null): Failure {
  return first === "request"
    ? { errorType: "client-aborted", detail: "The client ended the WebSocket without a close frame." }
    : { errorType: "server-closed", detail: "The server ended the WebSocket without a close frame." };
}

/**
 * The most bytes of messages that wait while an earlier one is inflated. Above this, the side's messages are no longer
 * inflated, and are emitted as cut off.
 */
const MOST_PENDING: Bytes = 32 * 1024 * 1024;
/** The estimated memory of a message apart from its bytes. Used only for `MOST_PENDING`. */
const WEIGHT: Bytes = 300;

/** Bytes of one side whose frames are parsed in slices. `at`: when they arrived. */
interface Unread {
  readonly bytes: Buffer;
  readonly at: Instant;
  readonly onRead: () => void;
  from: number;
}

/** The messages of one side on their way to the emitter. */
class MessageLine {
  closed = false;
  readonly #side: Side;
  readonly #emitter: MessageEmitter;
  readonly #context: Context;
  readonly #frames: FrameReader;
  readonly #inflater: MessageInflater | null;
  readonly #unread: Unread[] = [];
  #onAllRead: (() => void) | null = null;
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
    const { messageMemory } = emitter;
    this.#side = side;
    this.#emitter = emitter;
    this.#context = context;
    this.#inflater = resets === undefined ? null : new MessageInflater(context.cap, messageMemory, !resets);
    this.#frames = new FrameReader(context.cap, messageMemory, (message) => this.#add(message));
  }

  /** Returns whether all bytes were parsed in this turn; if not, calls `onRead` in a later one. */
  feed(bytes: Buffer, onRead: () => void): boolean {
    const isFirst = this.#unread.push({ bytes, at: this.#context.now(), onRead, from: 0 }) === 1;
    return isFirst && this.#read();
  }

  /** Calls `done` once all received messages were emitted. */
  end(done: () => void): void {
    const end = (): void =>
      this.#inOrder(() => {
        this.#inflater?.close();
        done();
      });
    if (this.#unread.length === 0) end();
    else this.#onAllRead = end;
  }

  /** Parses the oldest bytes for a slice; returns whether they were parsed to their end. */
  #read(): boolean {
    const [unread] = this.#unread;
    if (unread === undefined) return true;
    unread.from = this.#frames.feed(unread.bytes, unread.from, READ_TURN.slice());
    if (unread.from === unread.bytes.length) return this.#unread.shift() !== undefined;
    READ_TURN.later(this.#readOn);
    return false;
  }

  readonly #readOn = (): void => {
    const [unread] = this.#unread;
    if (!this.#read()) return;
    if (this.#unread.length > 0) READ_TURN.later(this.#readOn);
    else this.#onAllRead?.();
    unread?.onRead();
  };

  #add(message: Message): void {
    if (message.kind === "close") this.closed = true;
    const at = this.#unread[0]?.at ?? this.#context.now();
    const weight = message.bytes.length + WEIGHT;
    const isHeld = this.#emitter.messageMemory.take(weight);
    if (!isHeld || this.#weight > MOST_PENDING) this.#inflater?.giveUp();
    this.#weight += weight;
    this.#inOrder(() =>
      this.#emitMessage(message, at, () => {
        this.#weight -= weight;
        if (isHeld) this.#emitter.messageMemory.give(weight);
      }),
    );
  }

  #inOrder(step: () => void): void {
    const isIdle = !this.#busy && !this.#isDraining && this.#before.length === 0 && this.#since.length === 0;
    if (isIdle) return step();
    this.#since.push(step);
    this.#continue();
  }

  /**
   * Runs the waiting steps in order, in slices. A loop instead of recursion: when inflating is given up, thousands of
   * waiting messages are emitted.
   */
  #continue(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const slice = READ_TURN.slice();
    while (!this.#busy) {
      if (slice.isOver) return READ_TURN.later(this.#continueLater);
      if (this.#before.length === 0) [this.#before, this.#since] = [this.#since.reverse(), this.#before];
      const next = this.#before.pop();
      if (next === undefined) break;
      next();
    }
    this.#isDraining = false;
  }

  readonly #continueLater = (): void => {
    this.#isDraining = false;
    this.#continue();
  };

  #emitMessage(message: Message, at: Instant, onEmitted: () => void): void {
    const { kind, size, bytes, deflated } = message;
    const isWhole = bytes.length === size;
    const record = (shown: Uint8Array, cut: boolean): void => {
      this.#emitter.message({ at, side: this.#side, kind, size, bytes: shown, cut });
      onEmitted();
    };
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
