import type { Milliseconds } from "../../../../src/engine/model/units.ts";

/** Default; not from a specification: how long a turn of the event loop may last before further handshakes must wait. */
const SHARE: Milliseconds = 10;

/**
 * Spreads TLS handshakes over turns of the event loop: each costs about a millisecond, so hundreds that arrive together
 * would make one turn last for as many. Once a turn has lasted too long, each of the next turns starts as many, in
 * order, as fit into `SHARE` with all that they cause.
 */
export class HandshakeTurn {
  readonly #now: () => Milliseconds;
  /** When the turn began; `null` if nothing was started and nothing waits. */
  #since: Milliseconds | null = null;
  #started = 0;
  #waiting: (() => void)[] = [];

  constructor(now: () => Milliseconds = () => performance.now()) {
    this.#now = now;
  }

  /** Calls `handshake` now or in a later turn. */
  start(handshake: () => void): void {
    if (this.#since === null) this.#begin();
    if (this.#waiting.length > 0 || this.#now() - (this.#since ?? 0) > SHARE) this.#waiting.push(handshake);
    else this.#run(handshake);
  }

  #begin(): void {
    this.#since = this.#now();
    this.#started = 0;
    setImmediate(this.#next);
  }

  #run(handshake: () => void): void {
    this.#started += 1;
    handshake();
  }

  readonly #next = (): void => {
    const lasted = this.#now() - (this.#since ?? 0);
    const places = Math.max(1, Math.floor((this.#started * SHARE) / lasted));
    this.#since = null;
    if (this.#waiting.length === 0) return;
    this.#begin();
    for (const handshake of this.#waiting.splice(0, places)) this.#run(handshake);
  };
}

/** The only instance of the thread, which has one event loop. */
export const HANDSHAKE_TURN = new HandshakeTurn();
