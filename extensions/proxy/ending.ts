import { bidFarewell } from "./channel/window-farewell.ts";
import type { DataPlane } from "./data-plane.ts";
import { INTERNAL_ERROR, PORT_TAKEN } from "./exit-codes.ts";
import type { Lock } from "./storage/lock.ts";
import type { Log } from "./storage/log.ts";
import type { NeutralinoConnection } from "./threads.ts";

const FAILED = "Weir's engine failed and has ended. What was captured is kept.";

/** Our choice: what a second signal leaves for writing down what is known (security.md R10 gives 200 ms in all). */
const LAST_MOMENT = 150;

interface EndingOptions {
  readonly plane: Pick<DataPlane, "stop" | "hurry">;
  readonly lock: Lock;
  readonly log: Log;
  /** Hears why where no page can be told; `null` in the browser host. */
  readonly window: NeutralinoConnection | null;
}

/** How the process ends once it has begun: by whom it may be ended, and that it happens once. */
export class Ending {
  readonly #options: EndingOptions;
  #hasBegun = false;

  constructor(options: EndingOptions) {
    this.#options = options;
  }

  /** From now on signals, the end of the starting script and whatever nobody caught end the process in order. */
  heed(): void {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => (this.#hasBegun ? this.#hurry() : this.begin(0, null)));
    }
    // The starting script of the browser host has ended; a window's end is seen on its own connection.
    process.on("disconnect", () => this.begin(0, null));
    process.on("uncaughtException", (error) => {
      if (this.#hasBegun) process.exit(INTERNAL_ERROR);
      this.begin(INTERNAL_ERROR, `internal error: ${error.stack ?? error.message}`);
    });
  }

  /** `reason`: in words; `null` where the user ends it. Of several only the first sets the code, but each reason is written down. */
  begin(code: number, reason: string | null): void {
    const { plane, lock, log } = this.#options;
    if (reason !== null) {
      log.write(reason);
      process.stderr.write(`${reason}\n`);
    }
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    void plane
      .stop(reason)
      .then((told) => (told || reason === null ? undefined : this.#tellWindow(code, reason)))
      .finally(() => {
        lock.release();
        process.exit(code);
      });
  }

  /** Nothing in flight is waited for any more, but a session that is not ended would count as cut off. */
  #hurry(): void {
    this.#options.plane.hurry();
    setTimeout(() => process.exit(0), LAST_MOMENT);
  }

  async #tellWindow(code: number, reason: string): Promise<void> {
    const { window, log } = this.#options;
    if (window !== null) await bidFarewell(window, code === PORT_TAKEN ? reason : `${FAILED} ${log.path} says why.`);
  }
}
