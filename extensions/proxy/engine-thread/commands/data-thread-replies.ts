/** Commands whose replies wait for those of the data thread, which come in the order in which it was asked. */
export class DataThreadReplies<Reply> {
  readonly #ask: () => void;
  readonly #waiting: ((reply: Reply) => void)[] = [];

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Asks, and calls `use` as soon as the reply is there. Resolves with its result; rejects if it throws. */
  ask<Value>(use: (reply: Reply) => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((reply) => {
        try {
          resolve(use(reply));
        } catch (error) {
          reject(error);
        }
      });
      this.#ask();
    });
  }

  /** Called with each reply of the data thread, also with one that no command waits for. */
  onReply(reply: Reply): void {
    this.#waiting.shift()?.(reply);
  }
}
