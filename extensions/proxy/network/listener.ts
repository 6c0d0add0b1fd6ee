import { createServer, type Server, type Socket } from "node:net";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import { isLoopback, plainAddress } from "./address.ts";
import { bodyOf, headOf, troubleAnswer } from "./answer.ts";
import { ClientConnection } from "./client-connection.ts";
import { ClosingSocket } from "./closing-socket.ts";
import { Http2Connection } from "./http2/client-connection.ts";
import { InnerAddresses } from "./inner-addresses.ts";
import { KEEP_ALIVE } from "./keep-alive.ts";
import type { Life, Network } from "./network.ts";
import { NETWORK_LIMITS, type NetworkOptions } from "./network-options.ts";
import { ReadMemory } from "./read-memory.ts";
import { resend } from "./resend.ts";
import { Upstream } from "./upstream.ts";

/** Our choice: how often waiting things are looked at: a tenth of what they may wait, since each look wakes an idle machine. */
const SWEEP = { least: 10, most: 1_000, share: 10 };

interface Bound {
  readonly address: string;
  readonly port: number;
}

/** The proxy's port: accepts clients, and everything they start ends with it. May be started again after it was stopped. */
export class Listener {
  readonly #network: Network;
  #server: Server | null = null;
  #sweep: NodeJS.Timeout | undefined;
  #connections = 0;
  /** Of these, those that were too many, and have only to read so. */
  #refused = 0;
  #lastClientConnection = 0;
  /** Requests of our own that are being sent. */
  readonly #resends = new Set<Promise<unknown>>();

  constructor(options: NetworkOptions) {
    const limits = Object.freeze({ ...NETWORK_LIMITS, ...options.limits });
    const inner = new InnerAddresses();
    this.#network = {
      options,
      limits,
      upstream: new Upstream(options, limits),
      memory: new ReadMemory(),
      lives: new Set<Life>(),
      mayReach: (address, isRemote) =>
        !isRemote || options.settings().privateTargetsFromLan || !inner.has(address, options.clock.now()),
      nextClientConnection: ({ socket, isRemote }) => {
        this.#lastClientConnection += 1;
        const connection = this.#lastClientConnection;
        const { remotePort: port, localPort: proxyPort } = socket;
        if (!isRemote && port !== undefined && proxyPort !== undefined)
          options.onLocalClient?.({ connection, port, proxyPort });
        return connection;
      },
      serve: (socket, route, how) => new ClientConnection(socket, route, this.#network, how),
      serveHttp2: (socket, origin, how) => {
        // Node takes no socket that is gone.
        if (!socket.destroyed) new Http2Connection(socket, origin, this.#network, how);
      },
    };
  }

  /** Clients' sockets open now. */
  get connections(): number {
    return this.#connections;
  }

  /** Port 0 = any free one. Rejects with the system's error: `code` is EADDRINUSE where the port is taken. */
  async start(address: string, port: number): Promise<Bound> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: address, port }, () => {
        server.off("error", reject);
        resolve();
      });
    });
    // Accepting may fail for a while (no descriptors left); the connections that stand go on.
    server.on("error", () => {});
    this.#server = server;
    this.#sweep = setInterval(() => this.#expire(), this.#interval());
    const bound = server.address();
    if (bound === null || typeof bound === "string") throw new Error("a TCP server has an address");
    return { address: bound.address, port: bound.port };
  }

  /** Sends a request as a client of our own; nothing while stopped. Resolves as `resend` does. */
  async resend(request: Parameters<typeof resend>[0]): Promise<Error | null> {
    if (this.#server === null) return null;
    const sending = resend(request, this.#network);
    this.#resends.add(sending);
    try {
      return await sending;
    } finally {
      this.#resends.delete(sending);
    }
  }

  /** Accepts no more at once; what is in flight may end within `drain` (`null`: the usual limit); then everything is closed. */
  async stop(drain: Milliseconds | null = null): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const { lives, limits, upstream } = this.#network;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const life of [...lives]) life.drain();
    const late = setTimeout(() => {
      for (const life of [...lives]) life.stop();
    }, drain ?? limits.drain);
    // Those of our own come by another door.
    await Promise.all([closed, ...this.#resends]);
    clearTimeout(late);
    // Servers that have their last bytes to take.
    for (const life of [...lives]) life.stop();
    clearInterval(this.#sweep);
    upstream.close();
  }

  #accept(socket: Socket): void {
    this.#connections += 1;
    socket.once("close", () => {
      this.#connections -= 1;
    });
    if (this.#connections - this.#refused > this.#network.limits.clients) return this.#refuse(socket);
    // Over a network a client can vanish without a word; an exchange, a tunnel or a WebSocket would wait for it for ever.
    if (!isLoopback(plainAddress(socket.remoteAddress))) socket.setKeepAlive(KEEP_ALIVE);
    this.#network.serve(socket, { kind: "proxy" });
  }

  /** security.md, L5. As many more are waited for until they have read why; what is still over that only closes. */
  #refuse(socket: Socket): void {
    const answer = troubleAnswer(503, "Too many clients are connected to Weir.");
    this.#refused += 1;
    socket.once("close", () => {
      this.#refused -= 1;
    });
    socket.on("error", () => {});
    socket.write(Buffer.concat([Buffer.from(headOf(answer, false), "latin1"), bodyOf(answer)]));
    const closing = new ClosingSocket(socket, this.#network);
    if (this.#refused > this.#network.limits.clients) closing.drain();
  }

  #expire(): void {
    const now = this.#network.options.clock.now();
    for (const life of this.#network.lives) life.expire(now);
    this.#network.upstream.expire(now);
  }

  #interval(): number {
    const { head, idle, upstreamIdle, response, linger, halfClosed, owed } = this.#network.limits;
    const shortest = Math.min(head, idle, upstreamIdle, response, linger, halfClosed, owed);
    return Math.min(SWEEP.most, Math.max(SWEEP.least, shortest / SWEEP.share));
  }
}
