import type { Instant } from "../../../../src/engine/model/units.ts";
import type { WaitedFor } from "../../../../src/engine/model/wait.ts";
import { isLoopback } from "../address.ts";
import type { Opened } from "../connect-result.ts";
import { NO_DIAL } from "../dial.ts";
import type { NetworkLimits } from "../network-options.ts";
import { type Allows, mayUse, type Way } from "../way.ts";
import { MOST_SESSIONS, STREAMS_AT_FIRST } from "./limits.ts";
import type { UpstreamSession } from "./upstream-session.ts";
import { UpstreamStream } from "./upstream-stream.ts";
import type { Waiter } from "./waiter.ts";

/** What the sessions of one way need from their owner. */
export interface SessionNeeds {
  readonly now: () => Instant;
  readonly limits: Pick<NetworkLimits, "upstreamIdle" | "silentSession" | "ping" | "halfClosed">;
  readonly isGood: (session: UpstreamSession) => boolean;
  readonly dial: (way: Way, allows: Allows, http2: boolean, done: (result: Opened) => void) => () => void;
  /** Makes a connection for this one only. */
  readonly alone: (way: Way, waiter: Waiter) => void;
  /** The server was reached, and spoke HTTP/1.1. */
  readonly spokeHttp1: (way: Way) => void;
}

/**
 * The sessions by one way, and the exchanges that wait for a stream of them. The oldest with room is taken, so that what
 * was opened for a rush goes idle after it; while none has room one more is dialled, one at a time, up to the bound.
 */
export class WaySessions {
  readonly #way: Way;
  readonly #needs: SessionNeeds;
  #sessions: UpstreamSession[] = [];
  readonly #waiters = new Set<Waiter>();
  #cancelDial: (() => void) | null = null;
  /** How many streams the server takes of one session, as far as it is known. */
  #limit = STREAMS_AT_FIRST;

  constructor(way: Way, needs: SessionNeeds) {
    this.#way = way;
    this.#needs = needs;
  }

  /** Whether there is nothing to keep here. */
  get isEmpty(): boolean {
    return this.#sessions.length === 0 && this.#waiters.size === 0 && this.#cancelDial === null;
  }

  /** A stream at once, if no one else waits for it. */
  take(allows: Allows, isRepeatable: boolean): UpstreamStream | null {
    if (this.#waiters.size > 0 || this.#sessions.length === 0) return null;
    const session = this.#sessionFor(allows, isRepeatable, null);
    return session === null ? null : new UpstreamStream(session, null, this.#needs.now);
  }

  /** Waits for a stream. */
  join(waiter: Waiter): void {
    const isBarred = this.#sessions.length > 0 && !this.#sessions.some((one) => this.#mayUse(one, waiter.allows));
    if (isBarred) return this.#needs.alone(this.#way, waiter);
    waiter.waitedFor = this.#reasonToWait();
    this.#waiters.add(waiter);
    waiter.cancel = () => this.#giveUp(waiter);
    queueMicrotask(() => this.#serve());
  }

  /** A session that was opened by this way. */
  keep(session: UpstreamSession): void {
    this.#sessions.push(session);
    session.assume(this.#limit);
    session.whenChanged = () => {
      this.#limit = session.limit ?? this.#limit;
      this.#serve();
    };
  }

  /** The server does not want what it has agreed to: whoever waits for it goes another way. */
  abandon(): void {
    for (const session of this.#sessions) session.leave();
    for (const waiter of [...this.#waiters]) this.#leaveAlone(waiter);
    this.#tidy();
  }

  /** One that is being made may be for nobody any more: who waited for it may have been given another. */
  close(): void {
    this.#cancelDial?.();
    this.#cancelDial = null;
  }

  /** Closes what has been idle for too long, or is no longer good. */
  expire(now: Instant): void {
    for (const session of this.#sessions) {
      if (session.streams === 0 && now - session.idleSince >= this.#needs.limits.upstreamIdle) session.leave();
    }
    this.#tidy();
  }

  /** One session for this exchange; `null`: it has to wait. `fresh`: was opened just now. */
  #sessionFor(allows: Allows, isRepeatable: boolean, fresh: UpstreamSession | null): UpstreamSession | null {
    const now = this.#needs.now();
    let silent: UpstreamSession | null = null;
    for (const session of this.#sessions) {
      if (!session.hasRoom || !this.#needs.isGood(session) || !this.#mayUse(session, allows)) continue;
      if (session === fresh || !this.#isInDoubt(session, now)) return session;
      silent ??= session;
    }
    // What can be sent twice goes along with the question; the rest waits for the answer.
    silent?.ask(this.#needs.limits.ping, this.#needs.now);
    return isRepeatable ? silent : null;
  }

  /** This machine does not vanish from itself: what is silent here was stopped by a debugger. */
  #isInDoubt(session: UpstreamSession, now: Instant): boolean {
    if (this.#way.proxy === null && isLoopback(session.address)) return false;
    return session.isSilent(now, this.#needs.limits.silentSession);
  }

  /** security.md, S5: one may be refused what another may have. */
  #mayUse(session: UpstreamSession, allows: Allows): boolean {
    return mayUse(this.#way, allows, session.address);
  }

  #reasonToWait(): WaitedFor | null {
    if (this.#sessions.length > 0) return this.#sessions.some(({ hasRoom }) => hasRoom) ? "sign" : "stream";
    return this.#waiters.size > 0 || this.#cancelDial !== null ? "connection" : null;
  }

  /** Gives those who wait what there is. The making of a fresh one is told by who dialled it. */
  #serve(fresh: UpstreamSession | null = null, dialler: Waiter | null = null): void {
    this.#tidy();
    for (const waiter of this.#waiters) {
      if (!this.#sessions.some(({ hasRoom }) => hasRoom)) break;
      const session = this.#sessionFor(waiter.allows, waiter.isRepeatable, fresh);
      if (session === null) continue;
      this.#waiters.delete(waiter);
      const times = session === fresh && waiter === dialler ? session.times : null;
      waiter.done({ kind: "connected", connection: new UpstreamStream(session, times, this.#needs.now) });
    }
    const [first] = this.#waiters;
    if (first === undefined || this.#cancelDial !== null || this.#sessions.length >= MOST_SESSIONS) return;
    if (this.#sessions.every(({ isFull }) => isFull)) this.#dial(first);
  }

  #dial(dialler: Waiter): void {
    this.#cancelDial = this.#needs.dial(this.#way, dialler.allows, true, (result) => {
      this.#cancelDial = null;
      this.#dialled(dialler, result);
    });
  }

  #dialled(dialler: Waiter, result: Opened): void {
    switch (result.kind) {
      case "shared":
        this.keep(result.session);
        for (const waiter of [...this.#waiters])
          if (!this.#mayUse(result.session, waiter.allows)) this.#leaveAlone(waiter);
        return this.#serve(result.session, dialler);
      case "connected":
        this.#needs.spokeHttp1(this.#way);
        if (this.#waiters.delete(dialler)) dialler.done(result);
        else result.connection.destroy();
        for (const waiter of [...this.#waiters]) this.#leaveAlone(waiter);
        return;
      case "failed":
        this.#tidy();
        // One more could not be had: streams of the others will come free.
        if (this.#sessions.length > 0) return;
        for (const waiter of [...this.#waiters]) {
          if (waiter !== dialler && result.failure.errorType === "target-refused") this.#leaveAlone(waiter);
          else {
            this.#waiters.delete(waiter);
            waiter.done(waiter === dialler ? result : { ...result, times: NO_DIAL });
          }
        }
    }
  }

  #leaveAlone(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    this.#needs.alone(this.#way, waiter);
  }

  /** Whoever is the last to give up on a connection that is being made ends it. */
  #giveUp(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0) return;
    this.#cancelDial?.();
    this.#cancelDial = null;
  }

  /** Keeps what takes streams, now or later. */
  #tidy(): void {
    const isKept = (session: UpstreamSession): boolean => session.isOpen && this.#needs.isGood(session);
    if (this.#sessions.every(isKept)) return;
    const sessions = this.#sessions;
    this.#sessions = sessions.filter(isKept);
    for (const session of sessions) if (!this.#sessions.includes(session)) session.leave();
  }
}
