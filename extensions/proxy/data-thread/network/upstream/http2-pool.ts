import type { WaitedFor } from "../../../../../src/engine/model/phases.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { STREAMS } from "../http2/connection-memory.ts";
import { MOST_CONNECTIONS } from "../http2/limits.ts";
import type { NetworkLimits } from "../network-options.ts";
import { isLoopback } from "../sockets/address.ts";
import type { DialOutcome, PendingRequest } from "./connect-result.ts";
import { NO_DIAL } from "./dial.ts";
import type { Http2ServerConnection } from "./http2-connection.ts";
import { UpstreamStream } from "./http2-stream.ts";
import { type RefusalOf, type Route, routeRefusal } from "./route.ts";

export interface ConnectionNeeds {
  readonly now: () => Instant;
  readonly limits: Pick<NetworkLimits, "upstreamIdle" | "silentConnection" | "ping" | "halfClosed">;
  readonly isGood: (connection: Http2ServerConnection) => boolean;
  readonly dial: (
    route: Route,
    refusalOf: RefusalOf,
    http2: boolean,
    done: (result: DialOutcome) => void,
  ) => () => void;
  readonly dialAlone: (route: Route, request: PendingRequest) => void;
  /** Called when the server was connected and spoke HTTP/1.1. */
  readonly spokeHttp1: (route: Route) => void;
}

/**
 * The HTTP/2 connections of one route, and the requests that wait for a stream. Uses the oldest connection with a free
 * stream, so that connections opened for a burst become idle after it. If no stream is free, dials one connection at a
 * time, up to `MOST_CONNECTIONS`.
 */
export class Http2ConnectionPool {
  readonly #route: Route;
  readonly #needs: ConnectionNeeds;
  #connections: Http2ServerConnection[] = [];
  readonly #pending = new Set<PendingRequest>();
  #cancelDial: (() => void) | null = null;
  /** How many streams the server is assumed to allow per connection before it announces its limit. */
  #limit = STREAMS;

  constructor(route: Route, needs: ConnectionNeeds) {
    this.#route = route;
    this.#needs = needs;
  }

  get isEmpty(): boolean {
    return this.#connections.length === 0 && this.#pending.size === 0 && this.#cancelDial === null;
  }

  /** A free stream; `null` if there is none, or if other requests already wait for one. */
  acquire(refusalOf: RefusalOf, isRepeatable: boolean): UpstreamStream | null {
    if (this.#pending.size > 0 || this.#connections.length === 0) return null;
    const connection = this.#connectionFor(refusalOf, isRepeatable, null);
    return connection === null ? null : new UpstreamStream(connection, null, this.#needs.now);
  }

  enqueue(request: PendingRequest): void {
    const isBarred =
      this.#connections.length > 0 && !this.#connections.some((one) => this.#allowedFor(one, request.refusalOf));
    if (isBarred) return this.#needs.dialAlone(this.#route, request);
    request.waitedFor = this.#reasonToWait();
    this.#pending.add(request);
    request.cancel = () => this.#cancel(request);
    queueMicrotask(() => this.#serve());
  }

  add(connection: Http2ServerConnection): void {
    this.#connections.push(connection);
    connection.assumedLimit = this.#limit;
    connection.whenChanged = () => {
      this.#limit = connection.limit ?? this.#limit;
      this.#serve();
    };
  }

  /**
   * Dials a connection of its own for each waiting request, and closes the shared connections after their streams.
   * Called when the server requires HTTP/1.1 although it agreed to HTTP/2.
   */
  abandon(): void {
    for (const connection of this.#connections) connection.closeGracefully();
    for (const request of [...this.#pending]) this.#dialAlone(request);
    this.#closeUnusable();
  }

  close(): void {
    this.#cancelDial?.();
    this.#cancelDial = null;
  }

  /** Closes connections that were idle for too long or are no longer valid. */
  expire(now: Instant): void {
    for (const connection of this.#connections) {
      if (connection.streams === 0 && now - connection.idleSince >= this.#needs.limits.upstreamIdle)
        connection.closeGracefully();
    }
    this.#closeUnusable();
  }

  /**
   * A connection for this request; `null` if the request must wait. Pings a connection that has been silent for too
   * long. `opened`: a connection that was opened just now and needs no PING.
   */
  #connectionFor(
    refusalOf: RefusalOf,
    isRepeatable: boolean,
    opened: Http2ServerConnection | null,
  ): Http2ServerConnection | null {
    const now = this.#needs.now();
    let silent: Http2ServerConnection | null = null;
    for (const connection of this.#connections) {
      if (!connection.hasRoom || !this.#needs.isGood(connection) || !this.#allowedFor(connection, refusalOf)) continue;
      if (connection === opened || !this.#mayHaveVanished(connection, now)) return connection;
      silent ??= connection;
    }
    // A repeatable request is sent right after the PING. Any other request waits for the reply to the PING.
    silent?.ping(this.#needs.limits.ping, this.#needs.now);
    return isRepeatable ? silent : null;
  }

  /**
   * Whether the server may have disconnected without a FIN. Never true on loopback, where a server is silent only while
   * a debugger has stopped it.
   */
  #mayHaveVanished(connection: Http2ServerConnection, now: Instant): boolean {
    if (this.#route.proxy === null && isLoopback(connection.opened.address)) return false;
    return connection.isSilent(now, this.#needs.limits.silentConnection);
  }

  /** Whether the client of the request may use this connection (docs/security.md S5). */
  #allowedFor(connection: Http2ServerConnection, refusalOf: RefusalOf): boolean {
    return routeRefusal(this.#route, refusalOf, connection.opened.address) === null;
  }

  #reasonToWait(): WaitedFor | null {
    if (this.#connections.length > 0) return this.#connections.some(({ hasRoom }) => hasRoom) ? "sign" : "stream";
    return this.#pending.size > 0 || this.#cancelDial !== null ? "connection" : null;
  }

  /** Assigns free streams to waiting requests. Only the request that dialled reports the set-up times of `opened`. */
  #serve(opened: Http2ServerConnection | null = null, dialer: PendingRequest | null = null): void {
    this.#closeUnusable();
    for (const request of this.#pending) {
      if (!this.#connections.some(({ hasRoom }) => hasRoom)) break;
      const connection = this.#connectionFor(request.refusalOf, request.isRepeatable, opened);
      if (connection === null) continue;
      this.#pending.delete(request);
      const times = connection === opened && request === dialer ? connection.opened.times : null;
      request.done({ kind: "connected", connection: new UpstreamStream(connection, times, this.#needs.now) });
    }
    const [first] = this.#pending;
    if (first === undefined || this.#cancelDial !== null || this.#connections.length >= MOST_CONNECTIONS) return;
    if (this.#connections.every(({ isFull }) => isFull)) this.#dial(first);
  }

  #dial(dialer: PendingRequest): void {
    this.#cancelDial = this.#needs.dial(this.#route, dialer.refusalOf, true, (result) => {
      this.#cancelDial = null;
      this.#dialled(dialer, result);
    });
  }

  #dialled(dialer: PendingRequest, result: DialOutcome): void {
    switch (result.kind) {
      case "shared":
        this.add(result.connection);
        for (const request of [...this.#pending])
          if (!this.#allowedFor(result.connection, request.refusalOf)) this.#dialAlone(request);
        return this.#serve(result.connection, dialer);
      case "connected":
        this.#needs.spokeHttp1(this.#route);
        if (this.#pending.delete(dialer)) dialer.done(result);
        else result.connection.destroy();
        for (const request of [...this.#pending]) this.#dialAlone(request);
        return;
      case "failed":
        this.#closeUnusable();
        // The waiting requests will get streams of the open connections.
        if (this.#connections.length > 0) return;
        for (const request of [...this.#pending]) {
          if (request !== dialer && result.failure.errorType === "target-refused") this.#dialAlone(request);
          else {
            this.#pending.delete(request);
            request.done(request === dialer ? result : { ...result, times: NO_DIAL });
          }
        }
    }
  }

  #dialAlone(request: PendingRequest): void {
    this.#pending.delete(request);
    this.#needs.dialAlone(this.#route, request);
  }

  /** Removes a request that no longer waits. After the last one, cancels the dial. */
  #cancel(request: PendingRequest): void {
    this.#pending.delete(request);
    if (this.#pending.size > 0) return;
    this.#cancelDial?.();
    this.#cancelDial = null;
  }

  /** Closes and removes connections that will accept no more streams. */
  #closeUnusable(): void {
    const isKept = (connection: Http2ServerConnection): boolean => connection.isOpen && this.#needs.isGood(connection);
    if (this.#connections.every(isKept)) return;
    const connections = this.#connections;
    this.#connections = connections.filter(isKept);
    for (const connection of connections) if (!this.#connections.includes(connection)) connection.closeGracefully();
  }
}
