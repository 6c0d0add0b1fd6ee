import type { Side } from "../../../src/engine/capture/event.ts";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import type { Failure } from "./error-type.ts";
import type { ResponseHead } from "./http1/message.ts";
import { MessageInflater } from "./message-inflater.ts";
import type { Recording } from "./recording.ts";
import type { SpliceObserver } from "./splice.ts";
import { FrameReader, type Message } from "./websocket-frames.ts";

interface Context {
  readonly now: () => Instant;
  /** Bytes kept of one message. */
  readonly cap: Bytes;
}

/** Reads both sides of a WebSocket while its bytes pass, and tells its messages, each side's in order. */
export class WebSocketObserver implements SpliceObserver {
  readonly #recording: Recording;
  readonly #request: MessageLine;
  readonly #response: MessageLine;
  readonly #ended: (failure: Failure | null) => void;

  constructor(
    response: ResponseHead,
    recording: Recording,
    context: Context,
    ended: (failure: Failure | null) => void,
  ) {
    const extensions = extensionsOf(response);
    this.#recording = recording;
    this.#ended = ended;
    this.#request = new MessageLine("request", extensions?.includes("client_no_context_takeover"), recording, context);
    this.#response = new MessageLine(
      "response",
      extensions?.includes("server_no_context_takeover"),
      recording,
      context,
    );
  }

  passed(side: Side, bytes: Buffer): void {
    this.#recording.passed(side, bytes);
    (side === "request" ? this.#request : this.#response).feed(bytes);
  }

  /** In order only with a close frame, from whichever side (RFC 6455, 7.1.4); the last messages may still be inflating. */
  ended(failure: Failure | null, first: Side | null): void {
    const isClosed = this.#request.closed || this.#response.closed;
    const outcome = isClosed ? null : (failure ?? abnormal(first));
    this.#request.end(() => this.#response.end(() => this.#ended(outcome)));
  }
}

/** RFC 6455, 7.1.5: close code 1006. */
function abnormal(first: Side | null): Failure {
  return first === "request"
    ? { errorType: "client-aborted", detail: "The client ended the WebSocket without a close frame." }
    : { errorType: "server-closed", detail: "The server ended the WebSocket without a close frame." };
}

/**
 * Our choice: what may wait for a message that is being inflated. A side that is so much faster than we are is inflated no
 * further: its messages are told as cut.
 */
const WAITING: Bytes = 32 * 1024 * 1024;
/** What a message weighs besides its bytes; an estimate, for that limit only. */
const WEIGHT: Bytes = 300;

/** One side's messages on their way to the recording. */
class MessageLine {
  closed = false;
  readonly #side: Side;
  readonly #recording: Recording;
  readonly #context: Context;
  readonly #frames: FrameReader;
  readonly #inflater: MessageInflater | null;
  /** What waits for an earlier message to be inflated: what came before, the last first, and then what has come since. */
  #before: (() => void)[] = [];
  #since: (() => void)[] = [];
  #weight: Bytes = 0;
  #busy = false;
  #goesOn = false;

  /** `resets`: whether each message is deflated by itself; `undefined`: none is deflated. */
  constructor(side: Side, resets: boolean | undefined, recording: Recording, context: Context) {
    this.#side = side;
    this.#recording = recording;
    this.#context = context;
    this.#inflater = resets === undefined ? null : new MessageInflater(context.cap, !resets);
    this.#frames = new FrameReader(context.cap, (message) => this.#take(message));
  }

  feed(bytes: Buffer): void {
    this.#frames.feed(bytes);
  }

  /** `done` when all that came has been told. */
  end(done: () => void): void {
    this.#inOrder(() => {
      this.#inflater?.close();
      done();
    });
  }

  #take(message: Message): void {
    if (message.kind === "close") this.closed = true;
    if (this.#weight > WAITING) this.#inflater?.giveUp();
    const at = this.#context.now();
    const weight = message.bytes.length + WEIGHT;
    this.#weight += weight;
    this.#inOrder(() => {
      this.#weight -= weight;
      this.#tell(message, at);
    });
  }

  #inOrder(step: () => void): void {
    this.#since.push(step);
    this.#goOn();
  }

  /** A loop, since what was given up is told at once: thousands may wait, and each would call the next. */
  #goOn(): void {
    if (this.#goesOn) return;
    this.#goesOn = true;
    while (!this.#busy) {
      if (this.#before.length === 0) [this.#before, this.#since] = [this.#since.reverse(), this.#before];
      const next = this.#before.pop();
      if (next === undefined) break;
      next();
    }
    this.#goesOn = false;
  }

  #tell(message: Message, at: Instant): void {
    const { kind, size, bytes, deflated } = message;
    const isWhole = bytes.length === size;
    const record = (shown: Uint8Array, cut: boolean): void =>
      this.#recording.message({ at, side: this.#side, kind, size, bytes: shown, cut });
    if (!deflated || this.#inflater === null) return record(bytes, !isWhole);
    this.#busy = true;
    this.#inflater.inflate(isWhole ? bytes : null, (inflated) => {
      record(inflated.bytes, inflated.cut);
      this.#busy = false;
      this.#goOn();
    });
  }
}

/** The parameters of permessage-deflate as the server accepted it (RFC 7692, 7.1), `null` where it did not. */
function extensionsOf(response: ResponseHead): readonly string[] | null {
  const accepted = response.headers.filter(({ name }) => name === "sec-websocket-extensions").map(({ value }) => value);
  const [name, ...parameters] = accepted
    .join(",")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  return name === "permessage-deflate" ? parameters : null;
}
