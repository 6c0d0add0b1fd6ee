import type { Http2Session } from "node:http2";
import type { Socket } from "node:net";
import type { Bytes } from "../../../../../src/engine/model/units.ts";
import { READ_TURN, type Slice } from "../sockets/read-turn.ts";
import { SESSION_TURNS, type SessionInput, type SessionTurns } from "./session-turns.ts";

/**
 * Handles the events of a connection's streams in order, in slices of time (docs/security.md L10). nghttp2 emits all
 * that one read of the socket holds at once, which may be heads with 64,000 fields. Events beyond the slice wait for a
 * later turn, and the socket is not read until they are handled.
 */
export class StreamEvents implements SessionInput {
  readonly #socket: Socket;
  readonly #turns: SessionTurns;
  readonly #waiting: (() => void)[] = [];
  #slice: Slice | null = null;
  #isDue = false;
  #hasTurn = true;

  constructor(socket: Socket, turns = SESSION_TURNS) {
    this.#socket = socket;
    this.#turns = turns;
    turns.join(this);
    socket.once("close", () => turns.leave(this));
  }

  /**
   * Counts the end of `session` as an event, since Node ends it while it reads, and then makes an error for each of
   * 3,800 further PING acknowledgements that one read may have.
   */
  watch(session: Http2Session): void {
    const destroy = session.destroy.bind(session);
    session.destroy = (error, code) => {
      if (!session.destroyed) this.emitted(() => {});
      destroy(error, code);
    };
  }

  get bytesRead(): Bytes {
    return this.#socket.bytesRead;
  }

  get bytesWritten(): Bytes {
    return this.#socket.bytesWritten;
  }

  /** Calls `handle` at once, or in a later turn if this one is used up or earlier events wait. */
  emitted(handle: () => void): void {
    this.#turns.emitted(this, () => {
      if (this.#waiting.length === 0 && !this.#isSliceOver()) return handle();
      this.#waiting.push(handle);
      this.#setReading(false);
      this.#handleLater();
    });
  }

  setTurn(isOwn: boolean): void {
    this.#hasTurn = isOwn;
    this.#setReading(isOwn && this.#waiting.length === 0);
  }

  #isSliceOver(): boolean {
    if (this.#slice === null) {
      this.#slice = READ_TURN.slice();
      setImmediate(() => {
        this.#slice = null;
      });
    }
    return this.#slice.isOver;
  }

  #handleLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    READ_TURN.later(() => this.#handleWaiting());
  }

  #handleWaiting(): void {
    this.#isDue = false;
    const slice = READ_TURN.slice();
    do this.#waiting.shift()?.();
    while (this.#waiting.length > 0 && !slice.isOver);
    if (this.#waiting.length > 0) this.#handleLater();
    else this.#setReading(this.#hasTurn);
  }

  /**
   * Starts or stops reading at the handle, because the session reads from it directly: `Socket.pause` has no effect.
   */
  #setReading(isWanted: boolean): void {
    const handle: unknown = Reflect.get(this.#socket, "_handle");
    if (typeof handle === "object" && handle !== null) {
      const change: unknown = Reflect.get(handle, isWanted ? "readStart" : "readStop");
      if (typeof change === "function") change.call(handle);
    } else if (isWanted) this.#socket.resume();
    else this.#socket.pause();
  }
}
