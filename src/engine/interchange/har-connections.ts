/** The most characters of a connection's name. Longer names are ignored. */
const LONGEST = 256;

/**
 * Gives numbers to the connections of one file. HAR 1.2 (entries, `connection`) allows ports as names, so the server is
 * part of a connection's identity. A numeric name becomes the number if that number is free.
 */
export class HarConnections {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();
  /** The program of each client connection, by the connection's number. */
  readonly #programs = new Map<number, string>();
  #next = 1;

  /**
   * The number of the connection with this name, assigned at its first use; `null` if the name is empty or too long.
   * `server`: `address:port`; `null` if not known.
   */
  numberOf(name: string, server: string | null): number | null {
    if (name === "" || name.length > LONGEST) return null;
    const key = `${server ?? ""} ${name}`;
    const number = this.#numbers.get(key) ?? this.#newNumber(name);
    this.#numbers.set(key, number);
    return number;
  }

  /** A new number, for a connection without a name. */
  another(): number {
    return this.#newNumber("");
  }

  /** Records the program of a client connection. Returns `false` if the same program was already recorded. */
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
