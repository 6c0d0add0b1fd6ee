import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import type { DialTimes } from "../dial.ts";
import type { Allows, ConnectResult, Opened } from "../upstream.ts";
import type { Way } from "../way.ts";
import type { UpstreamSession } from "./upstream-session.ts";
import { UpstreamStream } from "./upstream-stream.ts";

/** Our choice: origins of which it is remembered what they speak. */
const REMEMBERED = 1_000;

interface Needs {
  readonly now: () => Instant;
  /** How long a session without streams is kept. */
  readonly idle: Milliseconds;
  readonly isGood: (session: UpstreamSession) => boolean;
  readonly dial: (way: Way, allows: Allows, http2: boolean, done: (result: Opened) => void) => () => void;
}

/** An exchange that waits for a connection. */
interface Waiter {
  readonly since: Instant;
  readonly allows: Allows;
  readonly done: (result: ConnectResult) => void;
  /** Ends its waiting, wherever it waits. */
  cancel: () => void;
}

/** A connection that is being made for all of them. */
interface Opening {
  readonly waiters: Set<Waiter>;
  readonly cancelDial: () => void;
}

/**
 * Connections to servers that may speak HTTP/2: one for each way, shared. Whether a server does shows only when it is
 * reached, so those who come meanwhile wait for the first; where it does not, each has its own, and next time at once.
 */
export class UpstreamSessions {
  readonly #needs: Needs;
  /** The one that takes new streams, by its way's key. */
  readonly #current = new Map<string, UpstreamSession>();
  readonly #all = new Set<UpstreamSession>();
  readonly #opening = new Map<string, Opening>();
  /** Ways whose server spoke HTTP/1.1 when it was last reached. */
  readonly #http1 = new Set<string>();
  /** Ways whose server wants HTTP/1.1, whatever TLS agreed on (RFC 9113, 7: HTTP_1_1_REQUIRED). */
  readonly #unwanted = new Set<string>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** A stream of the session that stands, if one does. */
  take(way: Way, allows: Allows): UpstreamStream | null {
    const session = this.#current.get(way.key);
    if (session === undefined) return null;
    if (!session.isOpen || !this.#needs.isGood(session)) {
      this.#current.delete(way.key);
      session.leave();
      return null;
    }
    if (way.proxy === null && !allows(session.address)) return null;
    return new UpstreamStream(session, null, this.#needs.now);
  }

  /** What `Upstream.connect` does. */
  connect(way: Way, allows: Allows, done: (result: ConnectResult) => void): () => void {
    const waiter: Waiter = { since: this.#needs.now(), allows, done, cancel: () => {} };
    const known = way.http2 === "never" ? null : this.take(way, allows);
    if (known !== null) {
      let isWanted = true;
      waiter.cancel = () => {
        isWanted = false;
      };
      queueMicrotask(() => isWanted && done({ kind: "connected", connection: known }));
    } else if (way.http2 === "never" || this.#http1.has(way.key) || this.#unwanted.has(way.key)) {
      this.#alone(way, waiter);
    } else this.#together(way, waiter);
    return () => waiter.cancel();
  }

  /** Closes what has been idle for too long, or is no longer good. */
  expire(now: Instant): void {
    for (const session of this.#all) {
      const isKept = session.streams > 0 || now - session.idleSince < this.#needs.idle;
      if (session.isOpen && isKept && this.#needs.isGood(session)) continue;
      if (this.#current.get(session.key) === session) this.#current.delete(session.key);
      session.leave();
      if (session.streams === 0) this.#all.delete(session);
    }
  }

  close(): void {
    for (const session of this.#all) session.destroy();
    this.#all.clear();
    this.#current.clear();
  }

  #alone(way: Way, waiter: Waiter): void {
    const http2 = way.http2 !== "never" && !this.#unwanted.has(way.key);
    waiter.cancel = this.#needs.dial(way, waiter.allows, http2, (result) => {
      if (result.kind !== "shared") return waiter.done(result);
      this.#keep(way, result.session);
      waiter.done(this.#streamFor(result.session, result.session.times));
    });
  }

  #together(way: Way, waiter: Waiter): void {
    const { key } = way;
    let opening = this.#opening.get(key);
    if (opening === undefined) {
      const waiters = new Set<Waiter>();
      const cancelDial = this.#needs.dial(way, waiter.allows, true, (result) => {
        this.#opening.delete(key);
        this.#opened(way, [...waiters], result);
      });
      opening = { waiters, cancelDial };
      this.#opening.set(key, opening);
    }
    const { waiters, cancelDial } = opening;
    waiters.add(waiter);
    waiter.cancel = () => {
      waiters.delete(waiter);
      // Whoever is the last to give up on it ends it.
      if (waiters.size > 0 || this.#opening.get(key)?.waiters !== waiters) return;
      this.#opening.delete(key);
      cancelDial();
    };
  }

  #opened(way: Way, [first, ...others]: readonly Waiter[], result: Opened): void {
    if (first === undefined) {
      if (result.kind === "shared") this.#keep(way, result.session);
      return;
    }
    switch (result.kind) {
      case "failed":
        for (const waiter of [first, ...others]) {
          // One may be refused what another may have (security.md, S5).
          if (waiter !== first && result.failure.errorType === "target-refused") this.#alone(way, waiter);
          else waiter.done({ ...result, times: waitedFor(result.times, waiter.since) });
        }
        return;
      case "connected":
        this.#remember(this.#http1, way.key);
        first.done(result);
        for (const waiter of others) this.#alone(way, waiter);
        return;
      case "shared":
        this.#keep(way, result.session);
        for (const waiter of [first, ...others]) {
          if (way.proxy === null && !waiter.allows(result.session.address)) this.#alone(way, waiter);
          else waiter.done(this.#streamFor(result.session, waitedFor(result.session.times, waiter.since)));
        }
    }
  }

  #streamFor(session: UpstreamSession, times: DialTimes): ConnectResult {
    return { kind: "connected", connection: new UpstreamStream(session, times, this.#needs.now) };
  }

  #keep(way: Way, session: UpstreamSession): void {
    this.#http1.delete(way.key);
    this.#all.add(session);
    this.#current.set(way.key, session);
    session.whenUnwanted = () => {
      this.#remember(this.#unwanted, way.key);
      if (this.#current.get(way.key) === session) this.#current.delete(way.key);
      session.leave();
    };
  }

  #remember(ways: Set<string>, key: string): void {
    if (ways.size >= REMEMBERED) ways.clear();
    ways.add(key);
  }
}

/** The part of a connection's making that lies after `since`. */
function waitedFor(times: DialTimes, since: Instant): DialTimes {
  const { domainLookupStart, domainLookupEnd, connectStart, secureConnectionStart, connectEnd } = times;
  const [lookedUpFrom, lookedUpTo] = within(domainLookupStart, domainLookupEnd, since);
  const [connectFrom] = within(connectStart, secureConnectionStart ?? connectEnd, since);
  const [securedFrom, end] = within(secureConnectionStart, connectEnd, since);
  return {
    domainLookupStart: lookedUpFrom,
    domainLookupEnd: lookedUpTo,
    connectStart: connectFrom,
    secureConnectionStart: securedFrom,
    connectEnd: end ?? (connectFrom === null ? null : connectEnd),
  };
}

function within(from: Instant | null, to: Instant | null, since: Instant): [Instant | null, Instant | null] {
  if (from === null || (to !== null && to <= since)) return [null, null];
  return [from < since ? since : from, to];
}
