import type { Writable } from "node:stream";
import type { Milliseconds } from "../../../src/engine/model/units.ts";

/** Our choice; together within the second of security.md, F6. */
const FIRST: Milliseconds = 500;
const SECOND: Milliseconds = 250;

/** Every HTTP/1.1 client must skip it (RFC 9110, 15.2.1). */
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/**
 * Finds out whether a client still listens that has ended its side, or from which nothing is read at the moment: TCP shows
 * no difference between one that waits and one that has gone, until something is written. Who has gone answers with a
 * reset, which the second write meets.
 */
export class HalfClosed {
  #timer: NodeJS.Timeout | undefined;

  /** Writes twice, as long as `mayWrite`; `again`: and again, until it is told to forget. */
  try(socket: Writable, mayWrite: () => boolean, again = false): void {
    this.forget();
    const write = (after: Milliseconds, then: () => void): void => {
      this.#timer = setTimeout(() => {
        if (!mayWrite()) return;
        socket.write(CONTINUE, "latin1");
        then();
      }, after);
    };
    const round = (): void => write(FIRST, () => write(SECOND, again ? round : () => {}));
    round();
  }

  forget(): void {
    clearTimeout(this.#timer);
  }
}
