import { Buffer } from "node:buffer";

/** Our choice, the size of a TLS record: pieces that fit in it together are copied into one write, larger ones are not copied. */
const JOINED = 16 * 1024;

/** Where bytes go: a socket, or a stream of HTTP/2 that looks like one. */
export interface Sink {
  /** False: wait for its `drain`. Text is latin1. */
  write(piece: string | Buffer, encoding?: "latin1"): boolean;
  /** What is written until `uncork` goes out together. */
  cork(): void;
  uncork(): void;
}

/** What is to be written to one socket, collected while one chunk of input is looked at, then written at once. */
export class Outflow {
  #socket: Sink | null;
  #pieces: (string | Buffer)[] = [];
  #size = 0;

  constructor(socket: Sink | null) {
    this.#socket = socket;
  }

  /** Bytes collected and not handed over. */
  get size(): number {
    return this.#size;
  }

  attach(socket: Sink): void {
    this.#socket = socket;
  }

  /** Text is latin1: a head goes out with the very bytes that came in. */
  add(piece: string | Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  /** Hands everything to the socket; false: wait for its `drain` before more is added. */
  flush(): boolean {
    const socket = this.#socket;
    if (socket === null) return this.#size === 0;
    if (this.#size === 0) return true;
    const pieces = this.#pieces;
    const size = this.#size;
    this.#pieces = [];
    this.#size = 0;
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) return write(socket, only);
    if (size <= JOINED) return socket.write(joined(pieces, size));
    socket.cork();
    let room = true;
    for (const piece of pieces) room = write(socket, piece);
    socket.uncork();
    return room;
  }
}

function write(socket: Sink, piece: string | Buffer): boolean {
  return typeof piece === "string" ? socket.write(piece, "latin1") : socket.write(piece);
}

function joined(pieces: readonly (string | Buffer)[], size: number): Buffer {
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") whole.write(piece, at, "latin1");
    else whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
