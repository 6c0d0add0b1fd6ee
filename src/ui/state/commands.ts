import type { Command, FromEngine } from "../../engine/messages/messages.ts";
import type { Channel } from "../channel/channel.ts";

/** What became of a command; `problem` is a sentence for the person who gave it. */
export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

const NOT_CONNECTED: Reply = Object.freeze({ ok: false, problem: "Weir is reconnecting. Try again in a moment." });

/** Sends commands and pairs each with its reply. Never rejects: trouble is a reply. */
export class Commands {
  readonly #channel: Channel;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 1;
  #open = false;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
    channel.onState((state) => {
      this.#open = state.kind === "open";
      if (this.#open) return;
      for (const answer of this.#waiting.values()) answer(NOT_CONNECTED);
      this.#waiting.clear();
    });
  }

  send(command: Command): Promise<Reply> {
    if (!this.#open) return Promise.resolve(NOT_CONNECTED);
    const number = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#channel.send({ type: "command", number, command });
    });
  }

  #receive(message: FromEngine): void {
    if (message.type !== "reply") return;
    const answer = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    answer?.(message.ok ? { ok: true, value: message.value } : { ok: false, problem: message.problem });
  }
}
