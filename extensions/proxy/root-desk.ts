import type { Instant } from "../../src/engine/model/units.ts";
import { endWarning } from "./certificates/root-end.ts";
import type { PublicRoot } from "./threads.ts";

/** The root that the data plane signs with, as far as pages may know it, and those who wait for another. */
export class RootDesk {
  #root: PublicRoot;
  readonly #ask: () => void;
  /** Pages that wait for the new root. */
  #waiting: ((root: PublicRoot | string) => void)[] = [];

  /** `ask`: has the data plane make a new root, which comes by `take`. */
  constructor(root: PublicRoot, ask: () => void) {
    this.#root = root;
    this.#ask = ask;
  }

  get certificate(): PublicRoot["certificate"] {
    return this.#root.certificate;
  }

  /** That is the root now; a sentence: there could be no other. */
  take(root: PublicRoot | string): void {
    if (typeof root !== "string") this.#root = root;
    for (const answer of this.#waiting.splice(0)) answer(root);
  }

  /** Who asks while one is being made gets that one. Throws why there can be no other. */
  async renew(): Promise<null> {
    const renewed = new Promise<PublicRoot | string>((resolve) => this.#waiting.push(resolve));
    if (this.#waiting.length === 1) this.#ask();
    const root = await renewed;
    if (typeof root === "string") throw new Error(root);
    return null;
  }

  /** What is to be said of its end; `null` while there is time. */
  endWarning(now: Instant): string | null {
    const { endsAt, renewable } = this.certificate;
    return endWarning(endsAt, renewable, now);
  }
}
