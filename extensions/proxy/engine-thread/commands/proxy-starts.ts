/** Commands to start the proxy. Their replies wait until the proxy listens or has failed. */
export class ProxyStarts {
  /** The waiting commands, in the order in which the data thread executes them. */
  readonly #waiting: ((problem: string | null) => void)[] = [];

  /** Resolves when the proxy listens. Rejects with the sentence that says why it does not. */
  add(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((problem) => (problem === null ? resolve() : reject(new Error(problem))));
    });
  }

  /**
   * Called when the data thread has executed the earliest waiting command. `problem`: why the proxy does not listen, as
   * a sentence; `null` if it does.
   */
  end(problem: string | null): void {
    this.#waiting.shift()?.(problem);
  }
}
