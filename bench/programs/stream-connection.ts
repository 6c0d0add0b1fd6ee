import type { Socket } from "node:net";
import { END_HEADERS, END_STREAM, frame, PREFACE, TYPES } from "../../tests/support/http2-frames.ts";
import { openConnection } from "./connection.ts";
import type { Route, Target } from "./job.ts";
import { RequestFields } from "./request-fields.ts";

const HEAD = 9;
const ACK = 1;
const MIB = 1024 * 1024;
/** Chromium's flow-control windows of a stream and a connection, in bytes. */
const WINDOWS = { stream: 6 * MIB, connection: 15 * MIB };
/** RFC 9113, 6.5.2 and 6.9.2: the initial window of a connection, and identifiers of settings. */
const FIRST_WINDOW = 65_535;
const INITIAL_WINDOW_SIZE = 4;
const ENABLE_PUSH = 2;

/** Called while a response arrives. `bytes`: bytes of its body so far. `isOver`: whether the response is complete. */
export type OnBytes = (stream: number, bytes: number, isOver: boolean) => void;

interface Answer {
  bytes: number;
  /** Bytes received for which no window update was sent yet. */
  unacknowledged: number;
}

/**
 * A minimal HTTP/2 client connection (RFC 9113). It sends GETs, counts bytes and parses only frame headers, so that CPU
 * is left for the subjects.
 */
export class StreamConnection {
  readonly socket: Socket;
  readonly #fields: RequestFields;
  readonly #onBytes: OnBytes;
  readonly #broken: (error: Error) => void;
  readonly #answers = new Map<number, Answer>();
  #nextStream = 1;
  #unacknowledged = 0;
  /** The header of the current frame. */
  #head: Buffer = NOTHING;
  #left = 0;

  private constructor(socket: Socket, authority: string, onBytes: OnBytes, broken: (error: Error) => void) {
    this.socket = socket;
    this.#fields = new RequestFields(authority);
    this.#onBytes = onBytes;
    this.#broken = broken;
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.on("close", () => broken(new Error("a connection was closed")));
    socket.on("error", broken);
    socket.resume();
  }

  static async open(
    route: Route,
    target: Target,
    onBytes: OnBytes,
    broken: (error: Error) => void,
  ): Promise<StreamConnection> {
    const socket = await openConnection(route, target, "h2");
    const connection = new StreamConnection(socket, `${target.host}:${target.port}`, onBytes, broken);
    const settings = Buffer.alloc(12);
    settings.writeUInt16BE(ENABLE_PUSH, 0);
    settings.writeUInt16BE(INITIAL_WINDOW_SIZE, 6);
    settings.writeUInt32BE(WINDOWS.stream, 8);
    const window = windowFrame(0, WINDOWS.connection - FIRST_WINDOW);
    socket.write(Buffer.concat([PREFACE, frame("settings", 0, 0, settings), window]));
    return connection;
  }

  /** Opens a stream; returns its number. */
  ask(path: string): number {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    this.#answers.set(stream, { bytes: 0, unacknowledged: 0 });
    this.socket.write(frame("headers", END_STREAM | END_HEADERS, stream, this.#fields.next(path)));
    return stream;
  }

  close(): void {
    this.socket.removeAllListeners("close");
    this.socket.destroy();
  }

  #read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left === 0) {
        const more = bytes.subarray(at, at + HEAD - this.#head.length);
        this.#head = this.#head.length === 0 ? more : Buffer.concat([this.#head, more]);
        at += more.length;
        if (this.#head.length < HEAD) return;
        this.#left = this.#head.readUIntBE(0, 3);
        if (this.#left === 0) this.#frameRead(0);
        continue;
      }
      const here = Math.min(this.#left, bytes.length - at);
      at += here;
      this.#left -= here;
      this.#frameRead(here);
    }
  }

  /** Handles `length` further bytes of the frame. If no byte is missing, the frame is complete. */
  #frameRead(length: number): void {
    const isRead = this.#left === 0;
    const [type, flags, stream] = [this.#head[3], this.#head[4] ?? 0, this.#head.readUInt32BE(5)];
    if (isRead) this.#head = NOTHING;
    if (type === TYPES.data) this.#count(stream, length);
    if (type === TYPES.reset || type === TYPES.goaway) this.#broken(new Error(`frame ${type} on stream ${stream}`));
    if (!isRead) return;
    if (type === TYPES.settings && (flags & ACK) === 0) this.socket.write(frame("settings", ACK, 0));
    if (type === TYPES.data || type === TYPES.headers) this.#tell(stream, (flags & END_STREAM) !== 0);
  }

  #count(stream: number, length: number): void {
    const answer = this.#answers.get(stream);
    if (answer === undefined) return;
    answer.bytes += length;
    answer.unacknowledged += length;
    this.#unacknowledged += length;
    if (answer.unacknowledged > WINDOWS.stream / 2) {
      this.socket.write(windowFrame(stream, answer.unacknowledged));
      answer.unacknowledged = 0;
    }
    if (this.#unacknowledged > WINDOWS.connection / 2) {
      this.socket.write(windowFrame(0, this.#unacknowledged));
      this.#unacknowledged = 0;
    }
  }

  #tell(stream: number, isOver: boolean): void {
    const answer = this.#answers.get(stream);
    if (answer === undefined) return;
    if (isOver) this.#answers.delete(stream);
    this.#onBytes(stream, answer.bytes, isOver);
  }
}

const NOTHING = Buffer.alloc(0);

/** RFC 9113, 6.9. */
function windowFrame(stream: number, increment: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(increment);
  return frame("window", 0, stream, payload);
}
