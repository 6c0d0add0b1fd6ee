import type { Socket } from "node:net";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { LIMITS } from "../http1/message.ts";
import { ResponseReader } from "../http1/response-reader.ts";
import { listenTo } from "../sockets/closable.ts";
import { codeIn } from "../sockets/connection-log.ts";
import { closeOnFailedWrite, DisconnectPolicy, readAfterFailedWrite } from "../sockets/disconnect-policy.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import type { DialTimes, PooledSocket } from "./dial.ts";
import type { ConnectionUser, ServerConnection } from "./server-connection.ts";

const NONE = (): null => null;

/** One connection to a server, ready for requests; carries one exchange at a time. */
export class UpstreamConnection implements ServerConnection {
  readonly opened: PooledSocket;
  readonly socket: Socket;
  readonly stream = null;
  readonly protocol = "http/1.1";
  readonly refused = false;
  readonly resetCode = null;
  readonly reader = new ResponseReader(LIMITS);
  used = false;
  idleSince: Instant;
  #user: ConnectionUser | null = null;
  #ended = false;
  readonly #policy: DisconnectPolicy;
  readonly #removeListeners: () => void;
  /** The error of a failed write, after which the server's response can still be read. */
  #sendError: () => Error | null = NONE;

  constructor(opened: PooledSocket) {
    this.opened = opened;
    this.socket = opened.socket;
    this.#policy = new DisconnectPolicy(this.socket);
    this.idleSince = opened.openedAt;
    this.#removeListeners = listenTo(this.socket, {
      data: this.#received,
      drain: () => this.#user?.serverDrained(),
      end: this.#closed,
      error: (error) => this.#over(error),
      close: this.#closed,
    });
    // A tunnel through an upstream proxy is paused until now.
    this.socket.resume();
  }

  get times(): DialTimes | null {
    return this.used ? null : this.opened.times;
  }

  get isOpen(): boolean {
    return !this.#ended && this.#sendError() === null && !this.socket.destroyed;
  }

  set user(user: ConnectionUser | null) {
    this.#user = user;
  }

  surviveWriteErrors(): void {
    if (this.#sendError === NONE) this.#sendError = readAfterFailedWrite(this.socket);
  }

  /**
   * Whether bytes of the request are pending and the server has read none of them for longer than `limit`. Call this at
   * each sweep.
   */
  isStalled(now: Instant, limit: Milliseconds): boolean {
    return this.#policy.isStalled(now, limit);
  }

  destroy(): void {
    if (!this.#ended) this.opened.log?.("closed by Weir");
    this.#user = null;
    this.#ended = true;
    this.socket.destroy();
  }

  handOver(): Socket {
    this.#user = null;
    READ_TURN.forget(this.socket);
    this.#removeListeners();
    closeOnFailedWrite(this.socket);
    return this.socket;
  }

  readonly #received = (bytes: Buffer): void => {
    if (this.#user === null) return this.destroy();
    this.reader.feed(bytes);
    this.#user.received();
    if (this.#user !== null) READ_TURN.delivered(this.socket, bytes.length);
  };

  readonly #closed = (): void => this.#over(this.#sendError());

  #over(error: Error | null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.opened.log?.(`ended by the server${codeIn(error)}`);
    const user = this.#user;
    if (user === null) this.socket.destroy();
    else user.serverEnded(error);
  }
}
