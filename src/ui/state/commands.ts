import type { Command, FromEngine } from "../../engine/messages/messages.ts";
import type { Problem, Result } from "../../engine/model/result.ts";
import { type Channel, type ChannelState, reasonOf } from "../channel/channel.ts";

/** The outcome of a command; `problem` is a sentence to display. */
export type Reply = Result<unknown>;

/** Why a command cannot be sent: there is no connection, or no connection yet. */
const RECONNECTING = "Weir is reconnecting. Try again in a moment.";

/** Sends commands and pairs each with its reply. Never rejects; failures are replies. */
export class Commands {
  readonly #channel: Channel;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 1;
  /** Why nothing can be sent; `null` if the channel is open. */
  #problem: string | null = RECONNECTING;

  constructor(channel: Channel) {
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
    channel.onState((state) => {
      this.#problem = problemOf(state);
      if (this.#problem === null) return;
      for (const answer of this.#waiting.values()) answer({ ok: false, problem: this.#problem });
      this.#waiting.clear();
    });
  }

  send(command: Command): Promise<Reply> {
    if (this.#problem !== null) return Promise.resolve({ ok: false, problem: this.#problem });
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

/** Why the engine cannot be reached; `null` if it can be. A channel that is closed for good has its own reason. */
export function problemOf(state: ChannelState): Problem | null {
  if (state.kind === "open") return null;
  return reasonOf(state) ?? RECONNECTING;
}
