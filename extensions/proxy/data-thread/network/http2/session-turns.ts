import type { Bytes, Milliseconds } from "../../../../../src/engine/model/units.ts";

/** docs/security.md L10: how long a turn of the event loop may last before the sessions are stopped. */
const SHARE: Milliseconds = 10;
/** After this time, what a session has cost counts half. */
const HALF_LIFE: Milliseconds = 2_000;
/**
 * How much a session may read without an event: heads above Node's limits, frames for nobody. Also what each event stands
 * for, since it may be a head or a piece of a body.
 */
const MOST_SILENT: Bytes = 64 * 1024;
/** What each look adds to that, for PINGs of a connection that is kept open for hours. */
const TOLD_BY_TIME: Bytes = 1024;
/** A peer acknowledges what it gets by window updates, at most so many bytes for each of theirs. */
const WRITTEN_FOR_SILENT = 8;
/** A session whose socket has read more than that before it starts, starts `LOOKS` after another such. */
const MOST_EARLY: Bytes = 4 * 1024;
/** How often silent sessions are looked for: while any session reads, and while none does. */
const LOOKS: Milliseconds = 10;
const RARE_LOOKS: Milliseconds = 100;

/** The socket of an HTTP/2 session. */
export interface SessionInput {
  readonly bytesRead: Bytes;
  readonly bytesWritten: Bytes;
  /** Whether the session may read now. */
  setTurn(isOwn: boolean): void;
}

interface Session {
  /** What the session has cost, and when that was last changed. */
  time: Milliseconds;
  at: Milliseconds;
  /** How many events it had since the last look. */
  events: number;
  /** How many bytes it had read at the last look. */
  seen: Bytes;
  /** How many of the bytes that it has read are told by events or by what it was sent. */
  told: Bytes;
  isSilent: boolean;
}

/**
 * Lets HTTP/2 sessions read in turns. nghttp2 decodes all that one read of a socket brings in one go, some 20 ms for 64
 * KiB of fields, and libuv reads all sockets one after the other. So once a turn of the event loop has lasted longer
 * than `SHARE`, all sessions are stopped, and libuv skips those it has not read yet. Each later turn starts as many as
 * fit into `SHARE`, those that have cost the least time first.
 *
 * That needs events. Sessions that read much without any are looked for by a timer. One of them reads between two looks,
 * and none between the next two.
 */
export class SessionTurns {
  readonly #now: () => Milliseconds;
  readonly #sessions = new Map<SessionInput, Session>();
  readonly #waiting = new Set<SessionInput>();
  readonly #starts: (() => void)[] = [];
  #startTimer: NodeJS.Timeout | null = null;
  /** When this turn began; `null` if no session has read in it and none waits. */
  #since: Milliseconds | null = null;
  /** Up to when the time of this turn is charged to a session. */
  #charged: Milliseconds = 0;
  /** How many sessions the next turn starts. */
  #places = 1;
  #timer: NodeJS.Timeout | null = null;
  /** The silent session that may read. */
  #silent: SessionInput | null = null;

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /** Whether this turn has lasted longer than `SHARE`. */
  get isOver(): boolean {
    return this.#since !== null && this.#now() - this.#since > SHARE;
  }

  /**
   * Calls `begin`, which starts a session on a socket that has read `early` bytes already, now or later: Node decodes
   * these in one go, right after the call.
   */
  start(early: Bytes, begin: () => void): void {
    if (early <= MOST_EARLY) return begin();
    this.#starts.push(begin);
    if (this.#startTimer === null) this.#startNext();
  }

  join(session: SessionInput): void {
    const { bytesRead } = session;
    const fresh = { time: 0, at: this.#now(), events: 0, seen: bytesRead, told: bytesRead, isSilent: false };
    this.#sessions.set(session, fresh);
    this.#timer ??= setTimeout(this.#onTimer, LOOKS).unref();
  }

  leave(session: SessionInput): void {
    this.#sessions.delete(session);
    this.#waiting.delete(session);
    if (this.#silent === session) this.#silent = null;
  }

  /** Makes the call for an event of `session`, and charges the session with it and with what was read before it. */
  emitted(session: SessionInput, handle: () => void): void {
    if (this.#since === null) this.#begin();
    handle();
    const now = this.#now();
    const state = this.#sessions.get(session);
    if (state !== undefined) {
      state.events += 1;
      state.time = costOf(state, now) + now - this.#charged;
      state.at = now;
    }
    this.#charged = now;
    if (state !== undefined && !this.#mayRead(session, state)) session.setTurn(false); // Node reads again after a write.
    if (this.isOver) this.#stop();
  }

  /** Stops all silent sessions but one, every second time all. Returns whether any session has read, or a silent one may. */
  look(): boolean {
    let hasRead = false;
    const silent: SessionInput[] = [];
    for (const [session, state] of this.#sessions) {
      const { bytesRead } = session;
      hasRead ||= bytesRead !== state.seen;
      state.seen = bytesRead;
      state.told = Math.min(bytesRead, state.told + state.events * MOST_SILENT + TOLD_BY_TIME);
      state.events = 0;
      const wasSilent = state.isSilent;
      const untold = bytesRead - state.told;
      state.isSilent = untold > MOST_SILENT && untold > MOST_SILENT + session.bytesWritten / WRITTEN_FOR_SILENT;
      if (state.isSilent) silent.push(session);
      else if (wasSilent && this.#mayRead(session, state)) session.setTurn(true);
    }
    const last = this.#silent;
    this.#silent = last === null ? this.#afterLast(silent) : null;
    for (const session of silent) session.setTurn(session === this.#silent && !this.#waiting.has(session));
    return hasRead || this.#silent !== null;
  }

  /** The next silent session, in rotation: the one that had its turn goes to the end of all sessions. */
  #afterLast([next]: readonly SessionInput[]): SessionInput | null {
    if (next === undefined) return null;
    const state = this.#sessions.get(next);
    this.#sessions.delete(next);
    if (state !== undefined) this.#sessions.set(next, state);
    return next;
  }

  #mayRead(session: SessionInput, { isSilent }: Session): boolean {
    return !this.#waiting.has(session) && (!isSilent || session === this.#silent);
  }

  readonly #onTimer = (): void => {
    const hasRead = this.look();
    this.#timer = this.#sessions.size === 0 ? null : setTimeout(this.#onTimer, hasRead ? LOOKS : RARE_LOOKS).unref();
  };

  #stop(): void {
    if (this.#waiting.size === 0) this.#places = 1;
    for (const session of this.#sessions.keys()) {
      if (this.#waiting.has(session)) continue;
      this.#waiting.add(session);
      session.setTurn(false);
    }
  }

  #begin(): void {
    this.#since = this.#now();
    this.#charged = this.#since;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const now = this.#now();
    const wasOver = this.isOver;
    this.#since = null;
    if (this.#waiting.size === 0) return;
    const order: { session: SessionInput; state: Session; cost: Milliseconds }[] = [];
    for (const session of this.#waiting) {
      const state = this.#sessions.get(session);
      if (state !== undefined) order.push({ session, state, cost: costOf(state, now) });
    }
    order.sort((one, other) => one.cost - other.cost);
    for (const { session, state } of order.slice(0, this.#places)) {
      this.#waiting.delete(session);
      if (this.#mayRead(session, state)) session.setTurn(true);
    }
    this.#places = wasOver ? Math.max(1, this.#places >> 1) : 2 * this.#places;
    if (this.#waiting.size > 0) this.#begin();
  };

  readonly #startNext = (): void => {
    const begin = this.#starts.shift();
    this.#startTimer = begin === undefined ? null : setTimeout(this.#startNext, LOOKS);
    begin?.();
  };
}

function costOf({ time, at }: Session, now: Milliseconds): Milliseconds {
  return time * 2 ** ((at - now) / HALF_LIFE);
}

/** The only instance of the thread, which has one event loop. */
export const SESSION_TURNS = new SessionTurns();
