import type { Instant } from "../../../../src/engine/model/units.ts";
import type { Connected, ConnectResult } from "../connect-result.ts";
import type { Allows, Way } from "../way.ts";
import type { UpstreamSession } from "./upstream-session.ts";
import { UpstreamStream } from "./upstream-stream.ts";
import type { Waiter } from "./waiter.ts";
import { type SessionNeeds, WaySessions } from "./way-sessions.ts";

/** Our choice: origins of which it is remembered what they speak. */
const REMEMBERED = 1_000;

/**
 * Connections to servers that may speak HTTP/2: few for each way, shared. Whether a server does shows only when it is
 * reached, so those who come meanwhile wait for the first; where it does not, each has its own, and next time at once.
 */
export class UpstreamSessions {
  readonly #needs: SessionNeeds;
  readonly #ways = new Map<string, WaySessions>();
  /** Those that take no more streams, too. */
  readonly #all = new Set<UpstreamSession>();
  /** Ways whose server spoke HTTP/1.1 when it was last reached. */
  readonly #http1 = new Set<string>();
  /** Ways whose server wants HTTP/1.1, whatever TLS agreed on (RFC 9113, 7: HTTP_1_1_REQUIRED). */
  readonly #unwanted = new Set<string>();

  constructor(needs: Omit<SessionNeeds, "alone" | "spokeHttp1">) {
    this.#needs = {
      ...needs,
      dial: (way, allows, http2, done) =>
        needs.dial(way, allows, http2, (result) => {
          if (result.kind === "shared") this.#opened(way, result.session);
          done(result);
        }),
      alone: (way, waiter) => this.#alone(way, waiter),
      spokeHttp1: (way) => this.#remember(this.#http1, way.key),
    };
  }

  /** A stream of a session that stands, if one has room. */
  take(way: Way, allows: Allows, isRepeatable: boolean): UpstreamStream | null {
    return this.#ways.get(way.key)?.take(allows, isRepeatable) ?? null;
  }

  /** What `Upstream.connect` does. */
  connect(way: Way, allows: Allows, isRepeatable: boolean, connected: Connected): () => void {
    const done = (result: ConnectResult): void => connected(result, waiter.waitedFor);
    const waiter: Waiter = { allows, isRepeatable, waitedFor: null, done, cancel: () => {} };
    const isAlone = way.http2 === "never" || this.#http1.has(way.key) || this.#unwanted.has(way.key);
    if (isAlone) this.#alone(way, waiter);
    else this.#by(way).join(waiter);
    return () => waiter.cancel();
  }

  /** Closes what has been idle for too long, or is no longer good. */
  expire(now: Instant): void {
    for (const [key, sessions] of this.#ways) {
      sessions.expire(now);
      if (sessions.isEmpty) this.#ways.delete(key);
    }
    for (const session of this.#all) {
      session.look(now, this.#needs.limits.halfClosed);
      if (session.isOpen || session.streams > 0) continue;
      session.destroy();
      this.#all.delete(session);
    }
  }

  close(): void {
    for (const sessions of this.#ways.values()) sessions.close();
    for (const session of this.#all) session.destroy();
    this.#all.clear();
    this.#ways.clear();
  }

  #alone(way: Way, waiter: Waiter): void {
    const http2 = way.http2 !== "never" && !this.#unwanted.has(way.key);
    waiter.cancel = this.#needs.dial(way, waiter.allows, http2, (result) => {
      if (result.kind !== "shared") return waiter.done(result);
      const { session } = result;
      this.#by(way).keep(session);
      const connection = new UpstreamStream(session, session.times, this.#needs.now);
      waiter.done({ kind: "connected", connection });
    });
  }

  #opened(way: Way, session: UpstreamSession): void {
    this.#http1.delete(way.key);
    this.#all.add(session);
    session.whenUnwanted = () => {
      this.#remember(this.#unwanted, way.key);
      this.#by(way).abandon();
    };
  }

  #by(way: Way): WaySessions {
    const known = this.#ways.get(way.key);
    if (known !== undefined) return known;
    const sessions = new WaySessions(way, this.#needs);
    this.#ways.set(way.key, sessions);
    return sessions;
  }

  #remember(ways: Set<string>, key: string): void {
    if (ways.size >= REMEMBERED) ways.clear();
    ways.add(key);
  }
}
