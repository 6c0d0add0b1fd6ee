import { createServer, type Server, type Socket } from "node:net";
import type { Conditions } from "../../../../../src/engine/model/conditions.ts";
import type { Milliseconds } from "../../../../../src/engine/model/units.ts";
import { SESSION_TURNS } from "../http2/session-turns.ts";
import { NETWORK_LIMITS, type NetworkOptions } from "../network-options.ts";
import { ExperimentHolds } from "../relay/experiment-holds.ts";
import { bytesOf, errorResponse } from "../relay/generated-response.ts";
import { InnerAddresses } from "../sockets/address.ts";
import { BUFFERS } from "../sockets/buffer-budget.ts";
import type { Closable } from "../sockets/closable.ts";
import { ConnectionLog } from "../sockets/connection-log.ts";
import { ClosingSocket, KEEP_ALIVE } from "../sockets/disconnect-policy.ts";
import { LEADS_BACK, PRIVATE_TARGET } from "../sockets/error-type.ts";
import { listening } from "../sockets/free-port.ts";
import { slowedBelow } from "../sockets/slowed-socket.ts";
import { ConnectionPool } from "../upstream/connection-pool.ts";
import { ClientConnection } from "./client-connection.ts";
import { ClientLines, lineClock } from "./client-lines.ts";
import type { ClientNetwork } from "./client-network.ts";
import { type Ingress, PROXY } from "./destination.ts";
import { Http2ClientConnection } from "./http2-connection.ts";
import { LocalPorts, type LocalRoute } from "./local-ports.ts";
import { PAGE_HOST } from "./local-responses.ts";
import { Refusals } from "./refusals.ts";
import { type ResendOptions, resend } from "./resend.ts";
import { SilentCloses } from "./silent-closes.ts";
import { SocksConnection } from "./socks-connection.ts";
import { TransparentConnection } from "./transparent-connection.ts";

/**
 * The sweep interval is the shortest time-out divided by `share`. While no connection is open, the divisor is
 * `idleShare`, since each sweep wakes an idle machine. `least` and `most` limit the interval, in ms.
 */
const SWEEP = { least: 10, most: 1_000, share: 10, idleShare: 2 };

interface Bound {
  readonly address: string;
  readonly port: number;
}

/**
 * Listens on the proxy's port, the reverse ports and the transparent ports. `stop` closes all connections; after that,
 * `start` may be called again.
 */
export class Listener {
  readonly experiment: ExperimentHolds;
  readonly #network: ClientNetwork;
  #server: Server | null = null;
  #sweep: NodeJS.Timeout | undefined;
  #connections = 0;
  /** The number of open connections that were over the limit and got a 503. */
  #refused = 0;
  #lastClientConnection = 0;
  /** Requests from the UI that are in flight. */
  readonly #resends = new Set<Promise<unknown>>();
  readonly #localPorts = new LocalPorts({
    accept: (socket, route) => this.#accept(socket, route),
    drain: (route) => this.#drainLocal(route),
  });
  #address = "";
  readonly #lines: ClientLines;
  readonly #options: Pick<NetworkOptions, "settings" | "onLocalPorts">;

  constructor(given: NetworkOptions) {
    const options = { ...given, ownPorts: () => this.#ownPorts(given) };
    this.#options = options;
    const limits = Object.freeze({ ...NETWORK_LIMITS, ...options.limits });
    const inner = new InnerAddresses();
    this.#lines = new ClientLines(options.lineClock ?? lineClock(options.clock));
    this.experiment = new ExperimentHolds(options.clock);
    const log = options.debug === undefined ? null : new ConnectionLog(options.debug);
    this.#network = {
      ...options,
      limits,
      log,
      experiment: this.experiment,
      upstream: new ConnectionPool(options, limits, log),
      silentCloses: new SilentCloses(),
      refusals: new Refusals(),
      lines: this.#lines,
      openConnections: new Set<Closable>(),
      refusalOf: (address, { isRemote, isTransparent }, isGiven) => {
        const now = options.clock.now();
        if (isTransparent && !isGiven && inner.isOwn(address, now)) return LEADS_BACK;
        const isPrivate = isRemote && !options.settings().privateTargetsFromLan && inner.has(address, now);
        return isPrivate ? PRIVATE_TARGET : null;
      },
      isOwnAddress: (address) => inner.isOwn(address, options.clock.now()),
      nextClientConnection: (socket, isRemote) => {
        this.#lastClientConnection += 1;
        const connection = this.#lastClientConnection;
        const { remotePort: port, localPort: proxyPort } = socket;
        if (!isRemote && port !== undefined && proxyPort !== undefined)
          options.onLocalClient?.({ connection, port, proxyPort });
        return connection;
      },
      serve: (socket, ingress, serveOptions) => {
        const client = new ClientConnection(socket, ingress, this.#network, serveOptions);
        client.start(serveOptions?.early);
        return client;
      },
      serveHttp2: (socket, ingress, serveOptions) => {
        socket.on("error", ignored);
        const begin = (): void => {
          socket.off("error", ignored);
          // Node throws if the socket is destroyed.
          if (!socket.destroyed) new Http2ClientConnection(socket, ingress, this.#network, serveOptions).start();
        };
        SESSION_TURNS.start(socket.readableLength, begin, () => socket.destroy());
      },
      serveSocks: (socket, early) => new SocksConnection(socket, early, this.#network).start(),
    };
  }

  get connections(): number {
    return this.#connections;
  }

  /**
   * Starts listening; port 0 is any free port. Rejects with the system's error, whose `code` is EADDRINUSE if the port
   * is taken.
   */
  async start(address: string, port: number): Promise<Bound> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket, PROXY));
    const bound = await listening(server, address, port);
    this.#server = server;
    this.#address = address;
    this.#sweepLater();
    await this.applyLocalPorts();
    return { address: bound.address, port: bound.port };
  }

  /** The open ports of a kind, as their entries in the setting. */
  openPorts(kind: LocalRoute["kind"]): readonly string[] {
    return this.#localPorts.entries(kind);
  }

  /**
   * Opens the reverse and transparent ports of the settings and closes all others. Does nothing while the proxy is
   * stopped.
   */
  async applyLocalPorts(): Promise<void> {
    if (this.#server === null) return;
    const { settings, onLocalPorts } = this.#options;
    onLocalPorts?.(await this.#localPorts.apply(settings(), this.#address));
  }

  /**
   * Reads the root certificates and issues a first certificate, some 90 ms of work. Call this while no client waits.
   */
  prepare(): void {
    const { upstream, leaves } = this.#network;
    upstream.prepare(null);
    leaves.contextFor(PAGE_HOST);
  }

  /** Sends a request from the UI; resolves like `resend`. */
  async resend(request: Parameters<typeof resend>[0], options: ResendOptions = {}): Promise<Error | null> {
    if (this.#server === null) return new Error("the proxy is stopped");
    const sending = resend(request, this.#network, options);
    this.#resends.add(sending);
    try {
      return await sending;
    } finally {
      this.#resends.delete(sending);
    }
  }

  /**
   * Stops accepting at once. Exchanges in flight may end within `drain` (`null`: `limits.drain`). Then all connections
   * are closed.
   */
  async stop(drain: Milliseconds | null = null): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const { openConnections, limits, upstream, silentCloses, refusals } = this.#network;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const localClosed = this.#localPorts.stop();
    for (const connection of [...openConnections]) connection.drain();
    const late = setTimeout(() => {
      for (const connection of [...openConnections]) connection.stop();
    }, drain ?? limits.drain);
    // `server.close` does not wait for resent requests, which arrive at ports of their own.
    await Promise.all([closed, localClosed, ...this.#resends]);
    clearTimeout(late);
    // The connections that are still open lead to servers and have bytes to send.
    for (const connection of [...openConnections]) connection.stop();
    clearTimeout(this.#sweep);
    upstream.close();
    silentCloses.close();
    refusals.close();
  }

  /**
   * Slows all clients from now on; `null` ends that. When conditions begin, open connections end after their exchange.
   */
  setConditions(conditions: Conditions | null): void {
    this.#lines.conditions = conditions;
    if (conditions === null) return;
    for (const connection of [...this.#network.openConnections]) {
      const isRequests = connection instanceof ClientConnection || connection instanceof Http2ClientConnection;
      if (isRequests && slowedBelow(connection.socket) === null) connection.retire();
    }
  }

  /** Drains the connections of a local port. Upgraded ones and open tunnels stay until they end. */
  #drainLocal(route: LocalRoute): void {
    for (const connection of [...this.#network.openConnections]) {
      if (connection instanceof TransparentConnection && connection.route === route) connection.drain();
      const isRequests = connection instanceof ClientConnection || connection instanceof Http2ClientConnection;
      if (isRequests && localRouteOf(connection.ingress) === route) connection.drain();
    }
  }

  #accept(socket: Socket, ingress: Ingress | LocalRoute): void {
    this.#connections += 1;
    socket.once("close", () => {
      this.#connections -= 1;
      this.#network.log?.client(socket, "closed");
    });
    if (this.#connections - this.#refused > this.#network.limits.clients) {
      this.#refuse(socket);
      return;
    }
    // A client can disappear without a FIN or, after a half-close, without a reset.
    socket.setKeepAlive(KEEP_ALIVE);
    this.#network.log?.client(socket, "accepted");
    const line = this.#lines.socketFor(socket);
    if (ingress.kind === "transparent") new TransparentConnection(line, ingress, this.#network).start();
    else new ClientConnection(line, ingress, this.#network).start();
  }

  /** The ports of this process, including reverse and transparent ones (docs/security.md S11). */
  #ownPorts(given: NetworkOptions): readonly number[] {
    const { ports } = this.#localPorts;
    return ports.length === 0 ? given.ownPorts() : [...given.ownPorts(), ...ports];
  }

  /**
   * Refuses a connection over the limit (docs/security.md L5). Up to `limits.clients` refused connections stay open
   * until their clients have read the reason; further ones are closed at once.
   */
  #refuse(socket: Socket): void {
    this.#refused += 1;
    this.#network.log?.client(socket, `refused: ${this.#network.limits.clients} clients are connected`);
    socket.once("close", () => {
      this.#refused -= 1;
    });
    socket.on("error", () => {});
    socket.write(bytesOf(errorResponse(503, "Too many clients are connected to Weir.")));
    const closing = new ClosingSocket(socket, this.#network);
    if (this.#refused > this.#network.limits.clients) closing.drain();
  }

  #expire(): void {
    const now = this.#network.clock.now();
    BUFFERS.recount();
    for (const connection of this.#network.openConnections) connection.expire(now);
    this.#network.upstream.expire(now);
    this.#network.silentCloses.expire(now);
    this.#network.refusals.expire(now);
  }

  #sweepLater(): void {
    this.#sweep = setTimeout(() => {
      this.#expire();
      this.#sweepLater();
    }, this.#interval());
  }

  #interval(): Milliseconds {
    const { head, idle, upstreamIdle, response, linger, halfClosed, lateAnswer, stall } = this.#network.limits;
    const shortest = Math.min(head, idle, upstreamIdle, response, linger, halfClosed, lateAnswer, stall);
    const share = this.#network.openConnections.size === 0 ? SWEEP.idleShare : SWEEP.share;
    return Math.min(SWEEP.most, Math.max(SWEEP.least, shortest / share));
  }
}

/** The local port at which a connection arrived; `null` for the proxy's. */
function localRouteOf(ingress: Ingress): LocalRoute | null {
  if (ingress.kind === "origin") return ingress.arrival?.route ?? null;
  return ingress.kind === "reverse" ? ingress : null;
}

/** The error of a socket that waits for its session; the socket is then destroyed. */
function ignored(): void {}
