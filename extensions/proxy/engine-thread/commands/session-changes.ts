import type { ChangeList } from "../../../../src/engine/messages/compare-messages.ts";
import { type Result, unwrap } from "../../../../src/engine/model/result.ts";
import type { SessionPair } from "../../analysis-thread/session-comparison.ts";
import { readerThread } from "../../threads.ts";

type Compared = Result<readonly ChangeList[]>;

/** Compares pairs of sessions, each in a thread of its own, one after another, since a thread reads both sessions. */
export class SessionChanges {
  readonly #compare: (pair: SessionPair) => Promise<Compared>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(compare: (pair: SessionPair) => Promise<Compared> = comparedInThread) {
    this.#compare = compare;
  }

  /** Throws a sentence if a session cannot be read. */
  async of(pair: SessionPair): Promise<readonly ChangeList[]> {
    const compared = this.#last.then(() => this.#compare(pair));
    this.#last = compared.catch(() => {});
    return unwrap(await compared);
  }
}

function comparedInThread(pair: SessionPair): Promise<Compared> {
  const worker = readerThread("analysis", pair);
  return new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("The comparison ended without a result. Compare again.")));
  });
}
