import type { Milliseconds } from "../../../../../src/engine/model/units.ts";

/** docs/security.md L10: how long a turn of the event loop may last before the sessions are stopped. */
const SHARE: Milliseconds = 10;
/** After this time, what a session has cost counts half. */
const HALF_LIFE: Milliseconds = 2_000;

/** The socket of an HTTP/2 session. */
export interface SessionInput {
  /** Whether the session may read now. */
  setTurn(isOwn: boolean): void;
}

interface Cost {
  time: Milliseconds;
  /** When `time` was last changed. */
  at: Milliseconds;
}

/**
 * Lets HTTP/2 sessions read in turns. nghttp2 decodes all that one read of a socket brings in one go, some 20 ms for 64
 * KiB of fields, and libuv reads all sockets one after the other. So once a turn of the event loop has lasted longer
 * than `SHARE`, all sessions are stopped, and libuv skips those it has not read yet. Each later turn starts as many as
 * fit into `SHARE`, those that have cost the least time first.
 */
export class SessionTurns {
  readonly #now: () => Milliseconds;
  readonly #costs = new Map<SessionInput, Cost>();
  readonly #waiting = new Set<SessionInput>();
  /** When this turn began; `null` if no session has read in it and none waits. */
  #since: Milliseconds | null = null;
  /** Up to when the time of this turn is charged to a session. */
  #charged: Milliseconds = 0;
  /** How many sessions the next turn starts. */
  #places = 1;

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /** Whether this turn has lasted longer than `SHARE`. */
  get isOver(): boolean {
    return this.#since !== null && this.#now() - this.#since > SHARE;
  }

  join(session: SessionInput): void {
    this.#costs.set(session, { time: 0, at: this.#now() });
  }

  leave(session: SessionInput): void {
    this.#costs.delete(session);
    this.#waiting.delete(session);
  }

  /** Makes the call for an event of `session`, and charges the session with it and with what was read before it. */
  emitted(session: SessionInput, handle: () => void): void {
    if (this.#since === null) this.#begin();
    handle();
    const now = this.#now();
    const cost = this.#costs.get(session);
    if (cost !== undefined) {
      cost.time = remaining(cost, now) + now - this.#charged;
      cost.at = now;
    }
    this.#charged = now;
    if (this.#waiting.has(session))
      session.setTurn(false); // Node reads again after a write.
    else if (this.isOver) this.#stop();
  }

  #stop(): void {
    if (this.#waiting.size === 0) this.#places = 1;
    for (const session of this.#costs.keys()) {
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
    const order = [...this.#waiting].map((session) => ({ session, cost: this.#costOf(session, now) }));
    order.sort((one, other) => one.cost - other.cost);
    for (const { session } of order.slice(0, this.#places)) {
      this.#waiting.delete(session);
      session.setTurn(true);
    }
    this.#places = wasOver ? Math.max(1, this.#places >> 1) : 2 * this.#places;
    if (this.#waiting.size > 0) this.#begin();
  };

  #costOf(session: SessionInput, now: Milliseconds): Milliseconds {
    const cost = this.#costs.get(session);
    return cost === undefined ? 0 : remaining(cost, now);
  }
}

function remaining({ time, at }: Cost, now: Milliseconds): Milliseconds {
  return time * 2 ** ((at - now) / HALF_LIFE);
}

/** The only instance of the thread, which has one event loop. */
export const SESSION_TURNS = new SessionTurns();
