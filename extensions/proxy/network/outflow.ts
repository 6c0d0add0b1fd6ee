import { Buffer } from "node:buffer";
import { TURN, type Turn } from "./turn.ts";

/** Our choice, the size of a TLS record: pieces that fit in it together are copied into one write, larger ones are not copied. */
const JOINED = 16 * 1024;

/** Our choice: so many bytes may wait in a socket before its source pauses; with Node's 64 KiB a fast stream stops at every turn. */
export const ROOM = 256 * 1024;

/** Of every answer that is sent to a client (RFC 9112, 2.3 and 4). */
const BEGINNING = "HTTP/1.1 ";

/** Where bytes go: a socket, or a stream of HTTP/2 that looks like one. */
export interface Sink {
  /** Bytes that it has not sent; absent where it collects a turn's writes itself. */
  readonly writableLength?: number;
  /** False: wait for its `drain`. Text is latin1. */
  write(piece: string | Buffer, encoding?: "latin1"): boolean;
  /** What is written until `uncork` goes out together. */
  cork(): void;
  uncork(): void;
}

/** What is to be written to one socket, collected while one chunk of input is looked at, then written together. */
export class Outflow {
  #socket: Sink | null;
  readonly #turn: Turn;
  #pieces: (string | Buffer)[] = [];
  #size = 0;
  #notes: (() => void)[] = [];
  /** Whether this turn's end will flush it. */
  #waits = false;
  /** How much of the next piece's beginning has gone out. */
  #said = 0;

  constructor(socket: Sink | null, turn = TURN) {
    this.#socket = socket;
    this.#turn = turn;
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
    const rest = this.#said === 0 ? piece : behind(piece, this.#said);
    this.#said = 0;
    this.#pieces.push(rest);
    this.#size += rest.length;
  }

  /** Says one more byte of what every answer begins with, while none is on its way; false: there is none left to say. */
  begin(): boolean {
    if (this.#socket === null || this.#size > 0 || this.#said === BEGINNING.length) return false;
    this.#socket.write(BEGINNING.charAt(this.#said), "latin1");
    this.#said += 1;
    return true;
  }

  /** Calls `note` just before what was added so far is handed to the socket: now, if all of it was. */
  atFlush(note: () => void): void {
    if (this.#size === 0) note();
    else this.#notes.push(note);
  }

  /** Hands everything to the socket; false: wait for its `drain` before more is added. */
  flush(): boolean {
    this.#waits = false;
    const socket = this.#socket;
    if (socket === null) return this.#size === 0;
    if (this.#size === 0) return true;
    const notes = this.#notes;
    const pieces = this.#pieces;
    const size = this.#size;
    this.#notes = [];
    this.#pieces = [];
    this.#size = 0;
    for (const note of notes) note();
    return written(socket, pieces, size) || (socket.writableLength ?? ROOM) < ROOM;
  }

  /** The same at the end of this turn of the event loop, where that makes little wait: together with what others write. */
  flushSoon(): boolean {
    // Nothing to say must not be the first of a turn.
    if (this.#size === 0) return true;
    if (this.#size > JOINED || this.#socket?.writableLength !== 0) return this.flush();
    if (this.#waits) return true;
    const hasRoom = this.#turn.flush(this);
    this.#waits = hasRoom === null;
    return hasRoom ?? true;
  }

  /** What was to go out soon goes out now: somebody ends the connection, or uses it without us. */
  flushWaiting(): void {
    if (this.#waits) this.flush();
  }

  /** Forgets what was not handed over. */
  discard(): void {
    this.#notes = [];
    this.#pieces = [];
    this.#size = 0;
  }
}

function behind(piece: string | Buffer, from: number): string | Buffer {
  return typeof piece === "string" ? piece.slice(from) : piece.subarray(from);
}

/** Whether the socket asks for more. */
function written(socket: Sink, pieces: readonly (string | Buffer)[], size: number): boolean {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return write(socket, only);
  if (size <= JOINED) return socket.write(joined(pieces, size));
  socket.cork();
  let asks = true;
  for (const piece of pieces) asks = write(socket, piece);
  socket.uncork();
  return asks;
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
