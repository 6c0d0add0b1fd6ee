import type { Socket } from "node:net";

/**
 * Our choice: how many more chunks are taken in, one at each look, of a peer from which nothing is read. Its end stands
 * behind what it sent before, of which a system seldom holds more than these 8 MiB (tcp(7), tcp_rmem); each stalled peer may
 * cost as much.
 */
const MOST = 128;

/** Looks at a socket that is paused, at each sweep: whether its peer is still there can often not be asked, but only be read. */
export class Looks {
  #taken = 0;

  /** Whether it has been read in spite of its pause. */
  get begun(): boolean {
    return this.#taken > 0;
  }

  /** Reads on; who finds that it is still too much pauses it again. */
  take(socket: Socket): void {
    if (!socket.isPaused() || this.#taken === MOST) return;
    this.#taken += 1;
    socket.resume();
  }

  /** It is read as usual. */
  forget(): void {
    this.#taken = 0;
  }
}
