import { closeSync, constants, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE, TO_WRITE } from "./private-file.ts";

/** Our choice: at this size the log becomes the old log, and the old one goes. */
const MOST_BYTES = 1024 * 1024;
const LONGEST_LINE = 2_000;
const APPEND = TO_WRITE | constants.O_APPEND;

/**
 * What Weir itself did and what went wrong, one line each: never a header, a body or a query (security.md, S10).
 * A log that cannot be written is no reason to stop.
 */
export class Log {
  readonly #path: string;
  readonly #now: () => Date;
  #size: number;

  constructor(folder: string, now: () => Date = () => new Date()) {
    this.#path = join(folder, "weir.log");
    this.#now = now;
    this.#size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  get path(): string {
    return this.#path;
  }

  write(text: string): void {
    // One entry is one line, whatever a server put into an error's words.
    const words = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").slice(0, LONGEST_LINE);
    const line = `${this.#now().toISOString()} ${words}\n`;
    try {
      if (this.#size > MOST_BYTES) this.#rotate();
      const file = openSync(this.#path, APPEND, PRIVATE_FILE);
      try {
        writeSync(file, line);
      } finally {
        closeSync(file);
      }
      this.#size += Buffer.byteLength(line);
    } catch {
      // Nowhere left to say it.
    }
  }

  #rotate(): void {
    renameSync(this.#path, `${this.#path}.old`);
    this.#size = 0;
  }
}
