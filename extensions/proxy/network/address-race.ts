import { connect, type Socket } from "node:net";
import type { Address } from "./network-options.ts";

/** RFC 8305, 5: how long one address is tried alone before the next joins in. */
const STAGGER = 250;

/** Our choice: how long a connection is silent before the system asks whether the other end is there; in vain for 10 s more, it is not. */
const KEEP_ALIVE = 30_000;

/**
 * TCP to the first of a server's addresses that answers (RFC 8305): one after the other, the next one as soon as one has
 * failed, or has been silent for a while. `done` comes once, never within the constructor, and not at all after `cancel`:
 * with the connected socket, or with what went wrong first.
 */
export class AddressRace {
  readonly #port: number;
  readonly #done: (result: Socket | Error) => void;
  readonly #waiting: Address[];
  readonly #running = new Set<Socket>();
  #firstError: Error | null = null;
  #stagger: NodeJS.Timeout | undefined;
  #over = false;

  /** There must be an address. */
  constructor(addresses: readonly Address[], port: number, done: (result: Socket | Error) => void) {
    this.#waiting = alternating(addresses);
    this.#port = port;
    this.#done = done;
    this.#tryNext();
  }

  cancel(): void {
    this.#over = true;
    clearTimeout(this.#stagger);
    for (const socket of this.#running) socket.destroy();
  }

  #tryNext(): void {
    clearTimeout(this.#stagger);
    const next = this.#waiting.shift();
    if (next === undefined) {
      if (this.#running.size === 0 && this.#firstError !== null) this.#end(this.#firstError);
      return;
    }
    const socket = connect({
      host: next.address,
      port: this.#port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE,
      allowHalfOpen: true,
    });
    this.#running.add(socket);
    // It stays until the socket has won: what goes wrong with one that nobody waits for must not be uncaught.
    const failed = (error: Error): void => {
      this.#running.delete(socket);
      this.#firstError ??= error;
      if (!this.#over) this.#tryNext();
    };
    socket.on("error", failed);
    socket.once("connect", () => {
      if (this.#over) return;
      socket.off("error", failed);
      this.#running.delete(socket);
      this.#end(socket);
    });
    if (this.#waiting.length > 0) this.#stagger = setTimeout(() => this.#tryNext(), STAGGER);
  }

  #end(result: Socket | Error): void {
    this.cancel();
    this.#done(result);
  }
}

/** RFC 8305, 4: the families by turns, the first address's family first. */
function alternating(addresses: readonly Address[]): Address[] {
  const first = addresses[0]?.family;
  const same = addresses.filter(({ family }) => family === first);
  const other = addresses.filter(({ family }) => family !== first);
  const longest = Math.max(same.length, other.length);
  return Array.from({ length: longest }, (_, index) => [same[index], other[index]])
    .flat()
    .filter((address) => address !== undefined);
}
