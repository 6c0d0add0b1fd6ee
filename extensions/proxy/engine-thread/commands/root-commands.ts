import { type Result, unwrap } from "../../../../src/engine/model/result.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { endWarning } from "../../certificates/root-end.ts";
import type { PublicRoot } from "../../threads.ts";

/** The current root without its key, and the UI clients that wait for a new one. */
export class RootCommands {
  #root: PublicRoot;
  readonly #ask: () => void;
  /** Callbacks of UI clients that wait for the new root. */
  #waiting: ((root: Result<PublicRoot>) => void)[] = [];

  /** `ask`: requests a new root from the data thread; `setRoot` then gets the root. */
  constructor(root: PublicRoot, ask: () => void) {
    this.#root = root;
    this.#ask = ask;
  }

  get certificate(): PublicRoot["certificate"] {
    return this.#root.certificate;
  }

  /** Called with the new root, or with the reason why there is none. */
  setRoot(root: Result<PublicRoot>): void {
    if (root.ok) this.#root = root.value;
    for (const answer of this.#waiting.splice(0)) answer(root);
  }

  /** Renews the root. Calls at the same time share one new root. Throws a sentence if no new root was made. */
  async renew(): Promise<null> {
    const renewed = new Promise<Result<PublicRoot>>((resolve) => this.#waiting.push(resolve));
    if (this.#waiting.length === 1) this.#ask();
    unwrap(await renewed);
    return null;
  }

  /** A warning that the certificate expires soon or has expired; else `null`. */
  endWarning(now: Instant): string | null {
    const { endsAt, renewable } = this.certificate;
    return endWarning(endsAt, renewable, now);
  }
}
