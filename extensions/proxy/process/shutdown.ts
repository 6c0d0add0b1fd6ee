import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type { DataPlane } from "../data-thread/data-plane.ts";
import type { Lock } from "../storage/lock.ts";
import type { ProgramLog } from "../storage/program-log.ts";
import type { NeutralinoConnection } from "../threads.ts";
import { notifyShutdown } from "../window/shutdown-notice.ts";
import { ENDING, INTERNAL_ERROR, PORT_TAKEN } from "./exit-codes.ts";

const FAILED = "Weir's engine failed and has stopped. Recordings are kept.";

/** Ms for storing the session after a second signal (docs/security.md R10 allows 200 ms in all). */
const LAST_MOMENT = 150;

interface ShutdownOptions {
  readonly plane: Pick<DataPlane, "stop" | "forceQuit">;
  readonly lock: Lock;
  readonly log: ProgramLog;
  /** The native window. It gets the reason for the end if no UI client got it. `null` in the browser host. */
  readonly window: NeutralinoConnection | null;
  /** Milliseconds within which two signals count as one. */
  readonly echo: Milliseconds;
}

/** Ends the process once, whatever the cause. */
export class Shutdown {
  readonly #options: ShutdownOptions;
  #hasBegun = false;

  constructor(options: ShutdownOptions) {
    this.#options = options;
  }

  /**
   * Installs handlers that end the process in an orderly way: for signals, the end of the starting script, and uncaught
   * exceptions.
   */
  installHandlers(): void {
    let last = Number.NEGATIVE_INFINITY;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        const now = performance.now();
        if (now - last < this.#options.echo) return;
        last = now;
        if (this.#hasBegun) this.#forceQuit();
        else this.start(0, null);
      });
    }
    // The starting script of the browser host has ended. The end of a native window is noticed on the window's own
    // connection.
    process.on("disconnect", () => this.start(0, null));
    process.on("uncaughtException", (error) => {
      if (this.#hasBegun) process.exit(INTERNAL_ERROR);
      this.start(INTERNAL_ERROR, `internal error: ${error.stack ?? error.message}`);
    });
  }

  /**
   * Starts the shutdown. `reason`: in words; `null` if the user ends Weir. Only the first call sets the exit code;
   * every reason is logged.
   */
  start(code: number, reason: string | null): void {
    const { plane, lock, log } = this.#options;
    if (reason !== null) {
      log.write(reason);
      process.stderr.write(`${reason}\n`);
    }
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (process.connected === true) process.send?.(ENDING);
    void plane
      .stop(reason)
      .then((notified) => (notified || reason === null ? undefined : this.#notifyWindow(code, reason)))
      .finally(() => {
        lock.release();
        process.exit(code);
      });
  }

  /** Skips the drain, but leaves time to end the session. Otherwise the session would count as interrupted. */
  #forceQuit(): void {
    this.#options.plane.forceQuit();
    setTimeout(() => process.exit(0), LAST_MOMENT);
  }

  async #notifyWindow(code: number, reason: string): Promise<void> {
    const { window, log } = this.#options;
    if (window !== null) await notifyShutdown(window, code === PORT_TAKEN ? reason : `${FAILED} ${log.path} says why.`);
  }
}
