import type { Instant } from "../../../src/engine/model/units.ts";
import type { Connected, Opened } from "./connect-result.ts";
import { Dial, type DialPlan, type DialResult } from "./dial.ts";
import { UpstreamSession } from "./http2/upstream-session.ts";
import { UpstreamSessions } from "./http2/upstream-sessions.ts";
import type { NetworkLimits, NetworkOptions } from "./network-options.ts";
import type { Origin } from "./origin.ts";
import type { ServerConnection } from "./server-connection.ts";
import { UpstreamConnection } from "./upstream-connection.ts";
import { UpstreamTls } from "./upstream-tls.ts";
import { type Allows, type Http2Use, mayUse, type Way, Ways } from "./way.ts";

/** Our choice: idle connections kept in all; each takes a descriptor. */
const MOST_IDLE = 256;

/** The way to all servers: one pool of connections for all clients, the last one used first. */
export class Upstream {
  readonly #options: NetworkOptions;
  readonly #limits: NetworkLimits;
  readonly #tls: UpstreamTls;
  readonly #ways: Ways;
  readonly #sessions: UpstreamSessions;
  readonly #idle = new Map<string, UpstreamConnection[]>();
  #idleCount = 0;
  #lastId = 0;

  constructor(options: NetworkOptions, limits: NetworkLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#tls = new UpstreamTls(options.upstreamCa);
    this.#ways = new Ways(options.settings);
    this.#sessions = new UpstreamSessions({
      now: () => options.clock.now(),
      limits,
      isGood: (session) => this.#isGood(session),
      dial: (way, allows, http2, done) => this.#open(way, allows, http2, done),
    });
  }

  /** `bare`: for bytes that are no plain HTTP requests. */
  wayTo(origin: Origin, bare: boolean, http2: Http2Use = "never"): Way {
    return this.#ways.to(origin, bare, http2);
  }

  /** Makes what TLS with that origin needs, before the times of an exchange begin. */
  prepare(origin: Origin): void {
    this.#tls.prepare(this.wayTo(origin, false).identity);
  }

  /**
   * An idle connection by that way, if there is one. It is the caller's until released or destroyed. `isRepeatable`: what
   * it is for may be sent once more, should it turn out to be dead.
   */
  take(way: Way, allows: Allows, isRepeatable: boolean): ServerConnection | null {
    const { key, http2 } = way;
    const stream = http2 === "never" ? null : this.#sessions.take(way, allows, isRepeatable);
    if (stream !== null) return stream;
    const waiting = this.#idle.get(key);
    for (let connection = waiting?.pop(); connection !== undefined; connection = waiting?.pop()) {
      this.#idleCount -= 1;
      if (this.isUsable(connection, way, allows)) return connection;
      connection.destroy();
    }
    return null;
  }

  /** Whether a connection by that way, kept since an earlier request, may carry one more under what holds now. */
  isUsable(connection: UpstreamConnection, way: Way, allows: Allows): boolean {
    return this.#isGood(connection) && mayUse(way, allows, connection.address);
  }

  /** A new connection, or a stream of one that others wait for too; returns how to give up on it. */
  connect(way: Way, allows: Allows, isRepeatable: boolean, done: Connected): () => void {
    return this.#sessions.connect(way, allows, isRepeatable, done);
  }

  /** A bare TCP connection, for a tunnel. */
  connectRaw(origin: Origin, allows: Allows, done: (result: DialResult) => void): () => void {
    return this.#dial({ way: this.wayTo(origin, true), secure: false, http2: false, allows }, done);
  }

  /** Gives back a connection that can carry another request. */
  release(connection: UpstreamConnection): void {
    connection.user = null;
    connection.used = true;
    if (!this.#isGood(connection)) return connection.destroy();
    connection.idleSince = this.#options.clock.now();
    const waiting = this.#idle.get(connection.key);
    if (waiting === undefined) this.#idle.set(connection.key, [connection]);
    else waiting.push(connection);
    this.#idleCount += 1;
    if (this.#idleCount > MOST_IDLE) this.#closeOne();
  }

  /** Closes what has been idle for too long, or is no longer good. */
  expire(now: Instant): void {
    this.#sessions.expire(now);
    this.#keepOnly((connection) => this.#isGood(connection) && now - connection.idleSince < this.#limits.upstreamIdle);
  }

  /** Closes everything idle. */
  close(): void {
    this.#sessions.close();
    this.#keepOnly(() => false);
  }

  #open(way: Way, allows: Allows, http2: boolean, done: (result: Opened) => void): () => void {
    const secure = way.origin.scheme === "https";
    // What is not verified needs no roots, and to read them takes long.
    const generation = secure ? this.#tls.generation : 0;
    return this.#dial({ way, secure, http2, allows }, (result) => {
      if (result.kind === "failed") return done(result);
      this.#lastId += 1;
      const isShared = http2 && (way.http2 === "known" || result.tls?.alpn === "h2");
      const made = [this.#lastId, way.key, result, this.#options.clock.now(), generation] as const;
      if (isShared) done({ kind: "shared", session: new UpstreamSession(...made, () => this.#options.clock.now()) });
      else done({ kind: "connected", connection: new UpstreamConnection(...made) });
    });
  }

  #isGood(connection: UpstreamConnection | UpstreamSession): boolean {
    return connection.isOpen && (connection.tls === null || connection.generation === this.#tls.generation);
  }

  #keepOnly(isKept: (connection: UpstreamConnection) => boolean): void {
    this.#idleCount = 0;
    for (const [key, waiting] of this.#idle) {
      const kept = waiting.filter(isKept);
      for (const connection of waiting) if (!kept.includes(connection)) connection.destroy();
      if (kept.length === 0) this.#idle.delete(key);
      else this.#idle.set(key, kept);
      this.#idleCount += kept.length;
    }
  }

  /** The longest idle of the origin that came first: near enough to the longest idle of all. */
  #closeOne(): void {
    for (const waiting of this.#idle.values()) {
      const connection = waiting.shift();
      if (connection === undefined) continue;
      this.#idleCount -= 1;
      return connection.destroy();
    }
  }

  #dial(plan: DialPlan, done: (result: DialResult) => void): () => void {
    const { clock, resolver, ownPorts } = this.#options;
    const dial = new Dial(plan, { clock, resolver, ownPorts, limits: this.#limits, tls: this.#tls }, done);
    return () => dial.cancel();
  }
}
