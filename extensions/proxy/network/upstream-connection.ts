import type { Socket } from "node:net";
import type { TlsFacts } from "../../../src/engine/capture/event.ts";
import { hostPort } from "../../../src/engine/model/host-port.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { plainAddress } from "./address.ts";
import type { DialResult, DialTimes } from "./dial.ts";
import { LIMITS } from "./http1/limits.ts";
import { ResponseReader } from "./http1/response-reader.ts";
import { forgetSending, outliveSending } from "./outlive-sending.ts";
import type { ConnectionUser, ServerConnection } from "./server-connection.ts";

const NONE = (): null => null;

/** One connection to a server, ready for requests; used by one exchange at a time. */
export class UpstreamConnection implements ServerConnection {
  readonly id: number;
  /** What the pool finds it by. */
  readonly key: string;
  readonly socket: Socket;
  readonly address: string;
  readonly stream = null;
  readonly protocol = "http/1.1";
  readonly refused = false;
  readonly resetCode = null;
  readonly tls: TlsFacts | null;
  /** Whether its certificate could not be verified, and that was allowed. */
  readonly excepted: boolean;
  readonly openedAt: Instant;
  /** Of the trust under which it was verified. */
  readonly generation: number;
  readonly reader = new ResponseReader(LIMITS);
  /** Whether an exchange was carried before. */
  used = false;
  /** Whether `connection-opened` was emitted. */
  announced = false;
  idleSince: Instant;
  #user: ConnectionUser | null = null;
  #ended = false;
  /** What went wrong in sending: a server that stops listening may have said why. */
  #sendError: () => Error | null = NONE;
  readonly #times: DialTimes;

  constructor(
    id: number,
    key: string,
    dialled: Omit<Extract<DialResult, { kind: "connected" }>, "kind">,
    at: Instant,
    generation: number,
  ) {
    this.id = id;
    this.key = key;
    this.socket = dialled.socket;
    this.#times = dialled.times;
    this.tls = dialled.tls;
    this.excepted = dialled.excepted;
    this.openedAt = at;
    this.generation = generation;
    this.idleSince = at;
    this.address = plainAddress(dialled.socket.remoteAddress);
    this.socket.on("data", this.#received);
    this.socket.on("drain", this.#drained);
    this.socket.on("end", this.#closed);
    this.socket.on("error", this.#failed);
    this.socket.on("close", this.#closed);
    // A tunnel through a further proxy comes paused.
    this.socket.resume();
  }

  get times(): DialTimes | null {
    return this.used ? null : this.#times;
  }

  get addressAndPort(): string {
    return hostPort(this.address, this.socket.remotePort ?? 0);
  }

  get isOpen(): boolean {
    return !this.#ended && this.#sendError() === null && !this.socket.destroyed;
  }

  /** `null`: nobody's; bytes that come then were not asked for, and end it. */
  set user(user: ConnectionUser | null) {
    this.#user = user;
  }

  outliveSending(): void {
    if (this.#sendError === NONE) this.#sendError = outliveSending(this.socket);
  }

  destroy(): void {
    this.#user = null;
    this.#ended = true;
    this.socket.destroy();
  }

  /** Leaves the bare socket to the caller, for a protocol that is not ours. */
  handOver(): Socket {
    this.#user = null;
    this.socket.off("data", this.#received);
    this.socket.off("drain", this.#drained);
    this.socket.off("end", this.#closed);
    this.socket.off("error", this.#failed);
    this.socket.off("close", this.#closed);
    forgetSending(this.socket);
    return this.socket;
  }

  readonly #received = (bytes: Buffer): void => {
    if (this.#user === null) return this.destroy();
    this.#user.received(bytes);
  };

  readonly #drained = (): void => this.#user?.serverDrained();

  readonly #closed = (): void => this.#over(this.#sendError());

  readonly #failed = (error: Error): void => this.#over(error);

  #over(error: Error | null): void {
    if (this.#ended) return;
    this.#ended = true;
    const user = this.#user;
    if (user === null) this.socket.destroy();
    else user.serverEnded(error);
  }
}
