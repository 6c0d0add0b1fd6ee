import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type { Outflow } from "./outflow.ts";

/** Our choice; together within the second of security.md, F6. */
const FIRST: Milliseconds = 500;
const SECOND: Milliseconds = 250;

/**
 * Finds out whether a client still listens that has ended its side, or from which nothing is read at the moment: TCP shows
 * no difference between one that waits and one that has gone, until something is written. Who has gone answers with a
 * reset, which the second write meets. What is written is the beginning of the answer to come, byte by byte: an interim
 * answer (RFC 9110, 15.2) would be too much for Node's fetch (any 100 that it did not ask for) and for Go (more than five).
 * There are nine such bytes: who goes away after some three seconds of them is noticed when the server reads or answers, or by
 * its reset: when what it had sent before has been read, or when the system has asked (silent-client.ts).
 */
export class HalfClosed {
  #timer: NodeJS.Timeout | undefined;

  /** Writes twice, as long as `mayWrite` and there is something to write; `again`: and again, until told to forget. */
  try(out: Outflow, mayWrite: () => boolean, again = false): void {
    this.forget();
    const write = (after: Milliseconds, then: () => void): void => {
      this.#timer = setTimeout(() => {
        if (mayWrite() && out.begin()) then();
      }, after);
    };
    const round = (): void => write(FIRST, () => write(SECOND, again ? round : () => {}));
    round();
  }

  forget(): void {
    clearTimeout(this.#timer);
  }
}
