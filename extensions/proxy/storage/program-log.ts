import { closeSync, constants, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE, TO_WRITE } from "./private-file.ts";

/** The size at which the log file becomes the old log and a new one begins. */
const MOST_BYTES = 1024 * 1024;
/** This size at the level `debug`, at which each request writes some ten lines. */
const MOST_DEBUG_BYTES = 32 * 1024 * 1024;
const LONGEST_LINE = 2_000;
const APPEND = TO_WRITE | constants.O_APPEND;

/**
 * Logs Weir's own actions and failures, one line each, never a header, a body or a query (docs/security.md S10). Write
 * errors are ignored.
 */
export class ProgramLog {
  readonly #path: string;
  readonly #now: () => Date;
  readonly #most: number;
  #size: number;

  constructor(folder: string, level: "info" | "debug" = "info", now: () => Date = () => new Date()) {
    this.#path = join(folder, "weir.log");
    this.#now = now;
    this.#most = level === "debug" ? MOST_DEBUG_BYTES : MOST_BYTES;
    this.#size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  get path(): string {
    return this.#path;
  }

  write(text: string): void {
    // One entry is one line, even if an error message contains line breaks.
    const words = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").slice(0, LONGEST_LINE);
    const line = `${this.#now().toISOString()} ${words}\n`;
    try {
      if (this.#size > this.#most) this.#rotate();
      const file = openSync(this.#path, APPEND, PRIVATE_FILE);
      try {
        writeSync(file, line);
      } finally {
        closeSync(file);
      }
      this.#size += Buffer.byteLength(line);
    } catch {
      // There is no place to report a failed log entry.
    }
  }

  #rotate(): void {
    renameSync(this.#path, `${this.#path}.old`);
    this.#size = 0;
  }
}
