/** Default; not from a specification: longer connection names are ignored. */
const LONGEST = 256;

/**
 * Gives numbers to the connections of one file. HAR 1.2 (entries, `connection`) allows ports as names, so the server is
 * part of a connection's identity. A numeric name becomes the number if that number is free.
 */
export class HarConnections {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();
  /** By the number of the client connection. */
  readonly #programs = new Map<number, string>();
  #next = 1;

  /**
   * The number of the connection with this name, assigned at its first use; `null` for a connection without a name.
   * `server`: `address:port`; `null` if not known.
   */
  numberOf(name: string, server: string | null): number | null {
    if (name === "" || name.length > LONGEST) return null;
    const key = `${server ?? ""} ${name}`;
    const number = this.#numbers.get(key) ?? this.#newNumber(name);
    this.#numbers.set(key, number);
    return number;
  }

  /** The number of a further connection, which has no name. */
  another(): number {
    return this.#newNumber("");
  }

  /** Records the program of a client connection. Returns whether that was not known before. */
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
