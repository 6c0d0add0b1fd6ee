import type { Bytes, Milliseconds } from "../../../../../src/engine/model/units.ts";

/** docs/security.md L10: how long a turn of the event loop may last before the sessions are stopped. */
const SHARE: Milliseconds = 10;
/** A session whose latest reads took less is read before those that are costly or have not read yet. */
const CHEAP: Milliseconds = 2;
/**
 * The most that a read can take for each byte, that of fields of one byte each. Time above it was spent on other work,
 * such as garbage collection or TLS handshakes.
 */
const MOST_PER_BYTE: Milliseconds = 0.002;
/**
 * How much a session may read without an event: heads above Node's limits, frames for nobody. Also what each event
 * stands for, since it may be a head or a piece of a body.
 */
const MOST_SILENT: Bytes = 64 * 1024;
/** What each look adds to that, for PINGs of a connection that is kept open for hours. */
const ACCOUNTED_BY_TIME: Bytes = 1024;
/** A peer acknowledges what it gets by window updates, at most so many bytes for each of theirs. */
const WRITTEN_FOR_SILENT = 8;
/** A session whose socket has read more than that before it starts, starts `LOOKS` after another such. */
const MOST_EARLY: Bytes = 4 * 1024;
/** docs/security.md L10: the most such sessions that wait. */
const MOST_STARTS = 30;
/** How often silent sessions are looked for: while any session reads, and while none does. */
const LOOKS: Milliseconds = 10;
const RARE_LOOKS: Milliseconds = 100;

export interface SessionInput {
  readonly bytesRead: Bytes;
  readonly bytesWritten: Bytes;
  /** Whether the session may read now. */
  setTurn(isOwn: boolean): void;
}

interface Start {
  readonly early: Bytes;
  readonly begin: () => void;
  readonly refuse: () => void;
}

interface Session {
  /** How long its reads of a turn take, the latest ones counting most; `null` before the first. */
  cost: Milliseconds | null;
  spent: Milliseconds;
  /** The number of its last event, among those of all sessions; of the event before it joined. */
  last: number;
  /** How many events it had since the last look. */
  events: number;
  /** How many bytes it had read when its reads of a turn were last counted. */
  counted: Bytes;
  /** How many bytes it had read at the last look. */
  seen: Bytes;
  /** The bytes that its events, and what it was sent, account for. */
  accounted: Bytes;
  isSilent: boolean;
}

/**
 * Lets HTTP/2 sessions read in turns. nghttp2 decodes all that one read of a socket brings in one go, some 20 ms for 64
 * KiB of fields, and libuv reads all sockets one after the other. So once a turn of the event loop has lasted longer
 * than `SHARE`, all sessions are stopped, and libuv skips those it has not read yet. Each later turn starts cheap
 * sessions for half of `SHARE`, and others for the rest, at least one, each in the order of their last reads: so a good
 * connection is read in nearly every turn, however many costly ones wait.
 *
 * That needs events. Sessions that read much without any are looked for by a timer. One of them reads between two
 * looks, and none between the next two.
 */
export class SessionTurns {
  readonly #now: () => Milliseconds;
  readonly #sessions = new Map<SessionInput, Session>();
  readonly #waiting = new Set<SessionInput>();
  readonly #starts: Start[] = [];
  #startTimer: NodeJS.Timeout | null = null;
  /** When this turn began; `null` if no session has read in it and none waits. */
  #since: Milliseconds | null = null;
  /** Up to when the time of this turn is charged to a session. */
  #charged: Milliseconds = 0;
  #events = 0;
  readonly #read = new Map<SessionInput, Session>();
  #timer: NodeJS.Timeout | null = null;
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
   * these in one go, right after the call. If too many wait, `refuse` is called for the one with the most bytes
   * instead.
   */
  start(early: Bytes, begin: () => void, refuse: () => void): void {
    if (early <= MOST_EARLY) return begin();
    this.#starts.push({ early, begin, refuse });
    if (this.#startTimer === null) return this.#startNext();
    if (this.#starts.length <= MOST_STARTS) return;
    const most = this.#starts.reduce((one, other) => (other.early > one.early ? other : one));
    this.#starts.splice(this.#starts.indexOf(most), 1);
    most.refuse();
  }

  join(session: SessionInput): void {
    const { bytesRead } = session;
    const fresh = {
      cost: null,
      spent: 0,
      last: this.#events,
      events: 0,
      counted: bytesRead,
      seen: bytesRead,
      accounted: bytesRead,
      isSilent: false,
    };
    this.#sessions.set(session, fresh);
    this.#timer ??= setTimeout(this.#onTimer, LOOKS).unref();
  }

  leave(session: SessionInput): void {
    this.#sessions.delete(session);
    this.#waiting.delete(session);
    if (this.#silent === session) this.#silent = null;
  }

  /**
   * Calls `handle` for an event of `session`. Its time, and that of the read before it, count as the cost of the
   * session.
   */
  emitted(session: SessionInput, handle: () => void): void {
    if (this.#since === null) this.#begin();
    handle();
    const now = this.#now();
    const state = this.#sessions.get(session);
    if (state !== undefined) {
      state.events += 1;
      this.#events += 1;
      state.last = this.#events;
      state.spent += now - this.#charged;
      this.#read.set(session, state);
    }
    this.#charged = now;
    if (state !== undefined && !this.#mayRead(session, state)) session.setTurn(false); // Node reads again after a write.
    if (this.isOver) this.#stop();
  }

  /**
   * Stops all silent sessions but one, every second time all. Returns whether any session has read, or a silent one
   * may.
   */
  look(): boolean {
    let hasRead = false;
    const silent: SessionInput[] = [];
    for (const [session, state] of this.#sessions) {
      const { bytesRead } = session;
      hasRead ||= bytesRead !== state.seen;
      state.seen = bytesRead;
      state.accounted = Math.min(bytesRead, state.accounted + state.events * MOST_SILENT + ACCOUNTED_BY_TIME);
      state.events = 0;
      const wasSilent = state.isSilent;
      const unaccounted = bytesRead - state.accounted;
      state.isSilent =
        unaccounted > MOST_SILENT && unaccounted > MOST_SILENT + session.bytesWritten / WRITTEN_FOR_SILENT;
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
    for (const session of this.#sessions.keys()) this.#wait(session);
  }

  #wait(session: SessionInput): void {
    if (this.#waiting.has(session)) return;
    this.#waiting.add(session);
    session.setTurn(false);
  }

  #begin(): void {
    this.#since = this.#now();
    this.#charged = this.#since;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    this.#since = null;
    for (const [session, state] of this.#read) {
      const { bytesRead } = session;
      const spent = Math.min(state.spent, MOST_PER_BYTE * (bytesRead - state.counted));
      state.cost = state.cost === null ? spent : (state.cost + spent) / 2;
      state.counted = bytesRead;
      state.spent = 0;
      // While any session waits, one that has read waits for its next turn, too.
      if (this.#waiting.size > 0 && this.#sessions.has(session)) this.#wait(session);
    }
    this.#read.clear();
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#sessions].filter(([session]) => this.#waiting.has(session));
    waiting.sort(([, one], [, other]) => one.last - other.last);
    const isCheap = ({ cost }: Session) => cost !== null && cost <= CHEAP;
    let left = 0;
    for (const isOther of [false, true]) {
      left += SHARE / 2;
      const part = waiting.filter(([, state]) => isCheap(state) !== isOther);
      for (const [index, [session, state]] of part.entries()) {
        // A session that has not read yet may be cheap. If it is not, its first read ends the turn.
        const cost = state.cost ?? CHEAP;
        if (cost > left && !(isOther && index === 0)) break;
        left -= cost;
        this.#waiting.delete(session);
        if (this.#mayRead(session, state)) session.setTurn(true);
      }
    }
    if (this.#waiting.size > 0) this.#begin();
  };

  readonly #startNext = (): void => {
    const next = this.#starts.shift();
    this.#startTimer = next === undefined ? null : setTimeout(this.#startNext, LOOKS);
    next?.begin();
  };
}

/** The only instance of the thread, which has one event loop. */
export const SESSION_TURNS = new SessionTurns();
