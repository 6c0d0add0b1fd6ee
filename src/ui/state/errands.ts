import type { Command } from "../../engine/messages/messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";

/** What sets one kind of errand apart. */
interface Kind<Started> {
  /** The number that the engine has given it. */
  numberOf(started: Started): number;
  cancel(errand: number): Command;
  /** What it says when the connection is lost, if Weir may come back. */
  readonly lost: string;
}

interface Errand<Message> {
  hear(message: Message): void;
  fail(problem: string): void;
}

/** Long work of one kind that the engine does for this page, told of in messages under its number. */
export class Errands<Started, Message> {
  readonly #commands: Commands;
  readonly #kind: Kind<Started>;
  readonly #running = new Map<number, Errand<Message>>();

  constructor(channel: Channel, commands: Commands, kind: Kind<Started>) {
    this.#commands = commands;
    this.#kind = kind;
    channel.onState((state) => {
      if (state.kind === "open") return;
      const running = [...this.#running.values()];
      this.#running.clear();
      for (const errand of running) errand.fail(state.kind === "closed" ? state.reason : kind.lost);
    });
  }

  /** `begin` gives what hears the messages. Gives what cancels it: after that nothing more is said. */
  start(
    command: Command,
    begin: (started: Started) => Errand<Message>["hear"],
    fail: Errand<Message>["fail"],
  ): () => void {
    let number: number | null = null;
    let cancelled = false;
    const cancel = (): void => {
      cancelled = true;
      if (number !== null && this.#running.delete(number)) void this.#commands.send(this.#kind.cancel(number));
    };
    void this.#commands.send(command).then((reply) => {
      if (!reply.ok) {
        if (!cancelled) fail(reply.problem);
        return;
      }
      const started = reply.value as Started;
      number = this.#kind.numberOf(started);
      this.#running.set(number, { hear: begin(started), fail });
      if (cancelled) cancel();
    });
    return cancel;
  }

  /** Whether there is one of that number, which has heard it. After `isLast` there is none. */
  hear(number: number, message: Message, isLast: boolean): boolean {
    const errand = this.#running.get(number);
    if (isLast) this.#running.delete(number);
    errand?.hear(message);
    return errand !== undefined;
  }
}
