import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { NetworkLimits, NetworkOptions } from "../network-options.ts";
import type { Origin, Server } from "../origin.ts";
import { plainAddress } from "../sockets/address.ts";
import type { ConnectionLog } from "../sockets/connection-log.ts";
import { UpstreamTls } from "../tls/upstream-tls.ts";
import type { DialOutcome, OnDialed } from "./connect-result.ts";
import {
  Dial,
  type Dialled,
  DialledSockets,
  type DialPlan,
  type DialResult,
  HTTP1,
  HTTP2_OR_1,
  type PooledSocket,
} from "./dial.ts";
import { Http2ServerConnection } from "./http2-connection.ts";
import { Http2ConnectionPools } from "./http2-pools.ts";
import { type Http2Use, type RefusalOf, type Route, RouteResolver, routeRefusal } from "./route.ts";
import type { ServerConnection } from "./server-connection.ts";
import { UpstreamConnection } from "./upstream-connection.ts";

/** An origin without certificates of its own. */
const NO_TRUST = Object.freeze({ identity: null, authority: null });

/** The most idle connections in total, since each takes a descriptor. */
const MOST_IDLE = 256;

type UpstreamOptions = Pick<NetworkOptions, "clock" | "resolver" | "ownPorts" | "upstreamCa" | "settings">;

/** Pools the connections to all servers for all clients. The most recently used idle connection is used again first. */
export class ConnectionPool {
  readonly #options: UpstreamOptions;
  readonly #limits: NetworkLimits;
  readonly #log: ConnectionLog | null;
  readonly #tls: UpstreamTls;
  readonly dialled = new DialledSockets();
  readonly #routes: RouteResolver;
  readonly #http2: Http2ConnectionPools;
  readonly #idle = new Map<string, UpstreamConnection[]>();
  #idleCount = 0;
  #lastId = 0;

  constructor(options: UpstreamOptions, limits: NetworkLimits, log: ConnectionLog | null = null) {
    this.#options = options;
    this.#limits = limits;
    this.#log = log;
    this.#tls = new UpstreamTls(options.upstreamCa);
    this.#routes = new RouteResolver(options.settings);
    this.#http2 = new Http2ConnectionPools({
      now: () => options.clock.now(),
      limits,
      isGood: (session) => this.#isGood(session),
      dial: (route, refusalOf, http2, done) => this.#open(route, refusalOf, http2, done),
    });
  }

  /** `at`: as in `Route`; `bare`: as in `RouteResolver.to`. */
  routeTo(origin: Origin, at: Server | null, bare: boolean, http2: Http2Use = "never"): Route {
    return this.#routes.to(origin, at, bare, http2);
  }

  /**
   * Creates the TLS context for this origin (`null`: for any) ahead of time, so that no exchange's times include it.
   */
  prepare(origin: Origin | null): void {
    const { identity, authority } = origin === null ? NO_TRUST : this.routeTo(origin, null, false);
    this.#tls.prepare(identity, authority);
  }

  /**
   * Takes an idle connection of this route, or a stream of a shared one; `null` if there is none. The caller must
   * release or destroy it. `isRepeatable`: whether the request may be sent again if the connection turns out to be
   * dead.
   */
  acquire(route: Route, refusalOf: RefusalOf, isRepeatable: boolean): ServerConnection | null {
    const { key, http2 } = route;
    const stream = http2 === "never" ? null : this.#http2.acquire(route, refusalOf, isRepeatable);
    if (stream !== null) return stream;
    const idle = this.#idle.get(key);
    for (let connection = idle?.pop(); connection !== undefined; connection = idle?.pop()) {
      this.#idleCount -= 1;
      if (this.isUsable(connection, route, refusalOf)) return connection;
      connection.destroy();
    }
    return null;
  }

  /** Whether an idle connection may carry another request of this route, with the current settings and trust. */
  isUsable(connection: UpstreamConnection, route: Route, refusalOf: RefusalOf): boolean {
    return this.#isGood(connection) && routeRefusal(route, refusalOf, connection.opened.address) === null;
  }

  /**
   * Requests a new connection, or a stream on one that is being dialled. Returns a function that cancels the request.
   */
  connect(route: Route, refusalOf: RefusalOf, isRepeatable: boolean, done: OnDialed): () => void {
    if (route.http2 !== "never") return this.#http2.connect(route, refusalOf, isRepeatable, done);
    return this.#open(route, refusalOf, false, (result) => {
      if (result.kind !== "shared") done(result, null);
    });
  }

  /**
   * Opens a connection for the bytes of a tunnel. `secure`: whether to add our own TLS, without ALPN; `at`: as in
   * `Route`.
   */
  connectRaw(
    origin: Origin,
    at: Server | null,
    secure: boolean,
    refusalOf: RefusalOf,
    done: (result: DialResult) => void,
  ): () => void {
    return this.#dial({ route: this.routeTo(origin, at, true), secure, protocols: [], refusalOf }, done);
  }

  /** Takes back a connection that can carry another request. */
  release(connection: UpstreamConnection): void {
    connection.user = null;
    connection.used = true;
    if (!this.#isGood(connection)) return connection.destroy();
    connection.opened.log?.("idle");
    connection.idleSince = this.#options.clock.now();
    const { key } = connection.opened;
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [connection]);
    else idle.push(connection);
    this.#idleCount += 1;
    if (this.#idleCount > MOST_IDLE) this.#closeOne();
  }

  /** Closes connections that were idle for too long or are no longer valid. */
  expire(now: Instant): void {
    this.#http2.expire(now);
    this.#keepOnly((connection) => {
      const isKept = this.#isGood(connection) && now - connection.idleSince < this.#limits.upstreamIdle;
      if (!isKept) connection.opened.log?.("closing: idle for too long, or its trust has changed");
      return isKept;
    });
  }

  close(): void {
    this.#http2.close();
    this.#keepOnly(() => false);
  }

  /** Dials. Offers HTTP/2 if `http2` is true; the result is `shared` if the server speaks it. */
  #open(route: Route, refusalOf: RefusalOf, http2: boolean, done: (result: DialOutcome) => void): () => void {
    const secure = route.origin.scheme === "https";
    // Only TLS needs the root certificates, and reading them is slow.
    const generation = secure ? this.#tls.currentGeneration() : 0;
    return this.#dial({ route, secure, protocols: http2 ? HTTP2_OR_1 : HTTP1, refusalOf }, (result) => {
      if (result.kind === "failed") return done(result);
      const opened = this.#opened(result, route, generation);
      const isShared = http2 && (route.http2 === "known" || result.tls?.alpn === "h2");
      if (!isShared) return done({ kind: "connected", connection: new UpstreamConnection(opened) });
      done({ kind: "shared", connection: new Http2ServerConnection(opened, () => this.#options.clock.now()) });
    });
  }

  #opened(
    { socket, times, tls, unverifiedAllowed }: Dialled,
    { key, origin }: Route,
    generation: number,
  ): PooledSocket {
    this.#lastId += 1;
    const id = this.#lastId;
    const address = plainAddress(socket.remoteAddress);
    const addressAndPort = hostPort(address, socket.remotePort ?? 0);
    const openedAt = this.#options.clock.now();
    const log = this.#log?.serverEvents(id, socket) ?? null;
    log?.(`connected to ${origin.text}`);
    return {
      id,
      key,
      socket,
      times,
      tls,
      unverifiedAllowed,
      address,
      addressAndPort,
      openedAt,
      generation,
      log,
      wasEmitted: false,
    };
  }

  #isGood(connection: UpstreamConnection | Http2ServerConnection): boolean {
    const { tls, generation } = connection.opened;
    return connection.isOpen && (tls === null || generation === this.#tls.currentGeneration());
  }

  #keepOnly(isKept: (connection: UpstreamConnection) => boolean): void {
    this.#idleCount = 0;
    for (const [key, idle] of this.#idle) {
      const kept = idle.filter(isKept);
      for (const connection of idle) if (!kept.includes(connection)) connection.destroy();
      if (kept.length === 0) this.#idle.delete(key);
      else this.#idle.set(key, kept);
      this.#idleCount += kept.length;
    }
  }

  /**
   * Closes the longest idle connection of the key that was added first. Other keys may have connections that were idle
   * for longer.
   */
  #closeOne(): void {
    for (const idle of this.#idle.values()) {
      const connection = idle.shift();
      if (connection === undefined) continue;
      this.#idleCount -= 1;
      return connection.destroy();
    }
  }

  #dial(plan: DialPlan, done: (result: DialResult) => void): () => void {
    const { clock, resolver, ownPorts } = this.#options;
    const [limits, tls, dialled] = [this.#limits, this.#tls, this.dialled];
    const log = this.#log?.dialEvents(plan.route.origin.text) ?? null;
    const dial = new Dial(plan, { clock, resolver, ownPorts, log, limits, tls, dialled }, done);
    dial.start();
    return () => dial.cancel();
  }
}
