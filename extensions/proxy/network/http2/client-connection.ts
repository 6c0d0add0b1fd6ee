import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { isLoopback, plainAddress } from "../address.ts";
import type { Life, Network, ServeOptions, Unused } from "../network.ts";
import type { Origin } from "../origin.ts";
import type { UpstreamConnection } from "../upstream-connection.ts";
import { CODES, END_STREAM } from "./codes.ts";
import { Leave } from "./leave.ts";
import { CLIENT_SESSION, CONNECTION_WINDOW } from "./limits.ts";
import type { RawFields } from "./message-text.ts";
import { nodeHttp2 } from "./node-http2.ts";
import { ReadTime } from "./read-time.ts";
import { StreamClient, type StreamHost } from "./stream-client.ts";

/** One client socket that speaks HTTP/2, inside a tunnel: many exchanges at once, each on its stream. */
export class Http2Connection implements Life, StreamHost {
  readonly socket: Socket;
  readonly connection: number;
  readonly origin: Origin;
  readonly network: Network;
  readonly address: string;
  readonly isRemote: boolean;
  readonly bound = new Map<string, UpstreamConnection>();
  readonly readTime: ReadTime;
  readonly #session: ServerHttp2Session;
  readonly #leave: Leave;
  readonly #unused: Unused | null;
  readonly #streams = new Set<StreamClient>();
  #since: Instant;
  /** Bytes of answers that the client had not taken at the last look. */
  #owed = 0;
  #heard = false;
  #draining = false;
  #error: Error | null = null;

  constructor(socket: Socket, origin: Origin, network: Network, { unused }: Pick<ServeOptions, "unused"> = {}) {
    this.socket = socket;
    this.origin = origin;
    this.network = network;
    this.address = plainAddress(socket.remoteAddress);
    this.isRemote = !isLoopback(this.address);
    this.connection = network.nextClientConnection(this);
    this.#unused = unused ?? null;
    this.readTime = new ReadTime(() => network.options.clock.now());
    this.#since = network.options.clock.now();
    network.lives.add(this);
    this.#session = nodeHttp2().performServerHandshake(socket, CLIENT_SESSION);
    this.#leave = new Leave(this.#session, () => this.#streams.size > 0);
    this.#session.setLocalWindowSize(CONNECTION_WINDOW);
    this.#session.on("remoteSettings", () => {
      this.#heard = true;
    });
    this.#session.on("stream", this.#opened);
    this.#session.on("error", (error) => {
      this.#error ??= error;
    });
    this.#session.on("close", this.#closed);
    // Whoever says no more can take no more either: without its WINDOW_UPDATEs nothing goes on.
    socket.on("end", () => this.#destroy());
  }

  get draining(): boolean {
    return this.#draining;
  }

  expire(now: Instant): void {
    for (const stream of this.#streams) stream.expire(now);
    const { head, idle, linger, owed } = this.network.limits;
    if (this.#isBusy()) this.#since = now;
    const waited = now - this.#since;
    if (this.#streams.size > 0) {
      if (waited > (this.#owed > 0 ? owed : idle)) this.#destroy();
    } else if (this.#session.closed || this.#session.destroyed) {
      if (waited > linger) this.#destroy();
    } else if (waited > (this.#heard ? idle : head)) this.#part(now);
  }

  drain(): void {
    this.#draining = true;
    this.#part(this.network.options.clock.now());
  }

  stop(): void {
    for (const stream of this.#streams) stream.stop();
    this.#destroy();
  }

  /** Whether an exchange is in flight, or the client has taken anything of what it is owed of those that are over. */
  #isBusy(): boolean {
    let [owed, isInFlight] = [0, false];
    for (const stream of this.#streams) {
      owed += stream.owed;
      isInFlight ||= stream.isInFlight;
    }
    const isTaken = owed !== this.#owed;
    this.#owed = owed;
    return isInFlight || isTaken;
  }

  /** Node would wait for what it has yet to write, and so for ever for a client that reads nothing. */
  #destroy(): void {
    this.#session.destroy(undefined, CODES.noError);
    this.socket.destroy();
  }

  /** What is in flight may end. */
  #part(now: Instant): void {
    this.#since = now;
    this.#leave.takeAtOnce();
  }

  readonly #opened = (stream: ServerHttp2Stream, _headers: unknown, flags: number, raw: RawFields): void => {
    const client = new StreamClient(stream, raw, (flags & END_STREAM) !== 0, this);
    this.#streams.add(client);
    stream.once("close", () => {
      this.#streams.delete(client);
      this.#since = this.network.options.clock.now();
      this.#leave.streamOver();
    });
  };

  readonly #closed = (): void => {
    this.network.lives.delete(this);
    for (const connection of this.bound.values()) connection.destroy();
    if (!this.#heard) this.#unused?.(this.#error);
  };
}
