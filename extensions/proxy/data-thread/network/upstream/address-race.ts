import { connect, type Socket } from "node:net";
import type { Address } from "../network-options.ts";

/** RFC 8305, 5: ms after which the next address is tried in parallel. */
const STAGGER = 250;

/** The most addresses of a name that are tried, since a name server may answer with 4,000. */
const MOST_TRIED = 32;

/** Ms without traffic before the first TCP keep-alive probe. */
const KEEP_ALIVE = 30_000;

/**
 * Connects to the first of a server's addresses that accepts (RFC 8305). Starts the next attempt when one fails, or
 * after `STAGGER`. Calls `done` once, asynchronously, with the connected socket or the first error; never after
 * `cancel`.
 */
export class AddressRace {
  readonly #port: number;
  readonly #done: (result: Socket | Error) => void;
  readonly #waiting: Address[];
  readonly #running = new Set<Socket>();
  /** How many further addresses are tried. */
  #left = MOST_TRIED;
  /** Whether further addresses may come. */
  #isWaiting: boolean;
  #firstError: Error | null = null;
  #stagger: NodeJS.Timeout | undefined;
  #over = false;

  /** `addresses` must not be empty; `late`: further addresses, never rejected, or `null`. */
  constructor(
    addresses: readonly Address[],
    port: number,
    done: (result: Socket | Error) => void,
    late: Promise<readonly Address[]> | null = null,
  ) {
    this.#waiting = alternating(addresses);
    this.#isWaiting = late !== null;
    void late?.then((others) => this.#add(others));
    this.#port = port;
    this.#done = done;
  }

  start(): void {
    this.#tryNext();
  }

  cancel(): void {
    this.#over = true;
    clearTimeout(this.#stagger);
    for (const socket of this.#running) socket.destroy();
  }

  #add(addresses: readonly Address[]): void {
    this.#isWaiting = false;
    if (this.#over) return;
    const isIdle = this.#waiting.length === 0;
    this.#waiting.push(...addresses);
    if (this.#running.size === 0) this.#tryNext();
    else if (isIdle && addresses.length > 0) this.#stagger = setTimeout(() => this.#tryNext(), STAGGER);
  }

  #tryNext(): void {
    clearTimeout(this.#stagger);
    const next = this.#left === 0 ? undefined : this.#waiting.shift();
    if (next === undefined) {
      if (this.#running.size === 0 && (!this.#isWaiting || this.#left === 0) && this.#firstError !== null)
        this.#end(this.#firstError);
      return;
    }
    this.#left -= 1;
    const socket = connect({
      host: next.address,
      port: this.#port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE,
      allowHalfOpen: true,
    });
    this.#running.add(socket);
    // Stays attached until this socket wins, because an error without a listener would end the process.
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

/** The addresses with alternating families, beginning with the family of the first address (RFC 8305, 4). */
function alternating(addresses: readonly Address[]): Address[] {
  const first = addresses[0]?.family;
  const same = addresses.filter(({ family }) => family === first);
  const other = addresses.filter(({ family }) => family !== first);
  const longest = Math.max(same.length, other.length);
  return Array.from({ length: longest }, (_, index) => [same[index], other[index]])
    .flat()
    .filter((address) => address !== undefined);
}
