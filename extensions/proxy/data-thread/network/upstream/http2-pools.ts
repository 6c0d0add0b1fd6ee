import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { ConnectResult, OnDialed, PendingRequest } from "./connect-result.ts";
import type { Http2ServerConnection } from "./http2-connection.ts";
import { type ConnectionNeeds, Http2ConnectionPool } from "./http2-pool.ts";
import { UpstreamStream } from "./http2-stream.ts";
import type { RefusalOf, Route } from "./route.ts";

/** The most routes whose protocol is remembered. */
const REMEMBERED = 1_000;

/**
 * Connections to servers that may speak HTTP/2: few per route, and shared. A server's protocol is known only once it is
 * connected, so concurrent requests wait for the first dial. If the server speaks HTTP/1.1, each waiting request then
 * gets a dial of its own; later requests dial at once.
 */
export class Http2ConnectionPools {
  readonly #needs: ConnectionNeeds;
  readonly #pools = new Map<string, Http2ConnectionPool>();
  /** All HTTP/2 connections, also those that accept no more streams. */
  readonly #all = new Set<Http2ServerConnection>();
  /** Routes whose server spoke HTTP/1.1 when it was last connected. */
  readonly #http1 = new Set<string>();
  /** Routes whose server requires HTTP/1.1, whatever protocol ALPN selects (RFC 9113, 7: HTTP_1_1_REQUIRED). */
  readonly #unwanted = new Set<string>();

  constructor(needs: Omit<ConnectionNeeds, "dialAlone" | "spokeHttp1">) {
    this.#needs = {
      ...needs,
      dial: (route, refusalOf, http2, done) =>
        needs.dial(route, refusalOf, http2, (result) => {
          if (result.kind === "shared") this.#opened(route, result.connection);
          done(result);
        }),
      dialAlone: (route, pending) => this.#dialAlone(route, pending),
      spokeHttp1: (route) => this.#remember(this.#http1, route.key),
    };
  }

  /** A stream of an open connection; `null` if none is free. */
  acquire(route: Route, refusalOf: RefusalOf, isRepeatable: boolean): UpstreamStream | null {
    return this.#pools.get(route.key)?.acquire(refusalOf, isRepeatable) ?? null;
  }

  /** Like `ConnectionPool.connect`. */
  connect(route: Route, refusalOf: RefusalOf, isRepeatable: boolean, connected: OnDialed): () => void {
    const done = (result: ConnectResult): void => connected(result, pending.waitedFor);
    const pending: PendingRequest = { refusalOf, isRepeatable, waitedFor: null, done, cancel: () => {} };
    if (this.#http1.has(route.key) || this.#unwanted.has(route.key)) this.#dialAlone(route, pending);
    else this.#poolFor(route).enqueue(pending);
    return () => pending.cancel();
  }

  /** Closes connections that were idle for too long or are no longer valid. */
  expire(now: Instant): void {
    for (const [key, pool] of this.#pools) {
      pool.expire(now);
      if (pool.isEmpty) this.#pools.delete(key);
    }
    for (const connection of this.#all) {
      connection.sweep(now, this.#needs.limits.halfClosed);
      if (connection.isOpen || connection.streams > 0) continue;
      connection.destroy();
      this.#all.delete(connection);
    }
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close();
    for (const connection of this.#all) connection.destroy();
    this.#all.clear();
    this.#pools.clear();
  }

  #dialAlone(route: Route, pending: PendingRequest): void {
    const http2 = !this.#unwanted.has(route.key);
    pending.cancel = this.#needs.dial(route, pending.refusalOf, http2, (result) => {
      if (result.kind !== "shared") return pending.done(result);
      const { connection } = result;
      this.#poolFor(route).add(connection);
      const stream = new UpstreamStream(connection, connection.opened.times, this.#needs.now);
      pending.done({ kind: "connected", connection: stream });
    });
  }

  #opened(route: Route, connection: Http2ServerConnection): void {
    this.#http1.delete(route.key);
    this.#all.add(connection);
    connection.whenUnwanted = () => {
      this.#remember(this.#unwanted, route.key);
      this.#poolFor(route).abandon();
    };
  }

  #poolFor(route: Route): Http2ConnectionPool {
    const known = this.#pools.get(route.key);
    if (known !== undefined) return known;
    const pool = new Http2ConnectionPool(route, this.#needs);
    this.#pools.set(route.key, pool);
    return pool;
  }

  #remember(keys: Set<string>, key: string): void {
    if (keys.size >= REMEMBERED) keys.clear();
    keys.add(key);
  }
}
