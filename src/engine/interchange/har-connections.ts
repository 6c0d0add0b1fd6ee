/** Our choice: a longer name of a connection is none. */
const LONGEST = 256;

/**
 * Numbers for the connections of one file, by which they are told apart. HAR 1.2 (entries, `connection`) lets one be named by
 * a port, which many share: those to different servers are different. One that is a number keeps it where that is free.
 */
export class HarConnections {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();
  /** By the client's connection. */
  readonly #programs = new Map<number, string>();
  #next = 1;

  /** `server`: `address:port`, `null` where it is not known. `null` where no connection is named. */
  numberOf(name: string, server: string | null): number | null {
    if (name === "" || name.length > LONGEST) return null;
    const key = `${server ?? ""} ${name}`;
    const number = this.#numbers.get(key) ?? this.#newNumber(name);
    this.#numbers.set(key, number);
    return number;
  }

  /** Whether a client's connection is not yet known to be that program's. */
  isNew(clientConnection: number, program: string): boolean {
    if (this.#programs.get(clientConnection) === program) return false;
    this.#programs.set(clientConnection, program);
    return true;
  }

  #newNumber(name: string): number {
    let number = /^\d{1,9}$/.test(name) ? Number(name) : 0;
    if (number === 0 || this.#taken.has(number)) {
      while (this.#taken.has(this.#next)) this.#next += 1;
      number = this.#next;
    }
    this.#taken.add(number);
    return number;
  }
}
