import { lookup } from "node:dns/promises";
import type { Address } from "../network-options.ts";
import { expectDescriptors, LookupError } from "./lookup-error.ts";
import { LookupHelper, type StartHelper } from "./lookup-helper.ts";

/** The most helper processes at once. */
export const MOST_HELPERS = 4;

/**
 * The system's own look-up (getaddrinfo) in helper processes, which are started when one is needed. Only the newest one
 * takes new look-ups, so the oldest one has the look-ups that have taken the longest.
 */
export class LookupHelpers {
  readonly #start: StartHelper;
  /** Oldest first. */
  #helpers: readonly LookupHelper[] = [];

  constructor(start: StartHelper) {
    this.#start = start;
  }

  /**
   * Rejects with a `LookupError`, or the signal's reason. If a helper process cannot be started or ends by
   * itself, looks up in this process.
   * `begun`: as in `LookupHelper.lookup`.
   */
  async lookup(name: string, signal: AbortSignal, begun: () => void): Promise<readonly Address[]> {
    try {
      return await this.#free(name).lookup(name, signal, begun);
    } catch (error) {
      if (error instanceof LookupError || signal.aborted) throw error;
      begun();
      return await inThisProcess(name);
    }
  }

  /** Ends all helper processes. */
  close(): void {
    for (const helper of this.#helpers) helper.kill(new LookupError("EAI_AGAIN", ""));
  }

  /** The newest helper if it takes more look-ups, else a new one. If there are too many, the oldest one is ended. */
  #free(name: string): LookupHelper {
    const newest = this.#helpers.at(-1);
    if (newest?.takesMore === true) return newest;
    if (this.#helpers.length >= MOST_HELPERS) this.#helpers[0]?.kill(new LookupError("ERR_TOO_MANY_LOOKUPS", name));
    const helper = new LookupHelper(this.#start, (ended) => {
      this.#helpers = this.#helpers.filter((other) => other !== ended);
    });
    this.#helpers = [...this.#helpers, helper];
    return helper;
  }
}

async function inThisProcess(name: string): Promise<readonly Address[]> {
  const found = await lookup(name, { all: true, order: "verbatim" }).catch((error: unknown) => {
    expectDescriptors();
    throw error;
  });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
