import type { Command } from "../../engine/messages/messages.ts";
import { type Channel, reasonOf } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";

/** What differs between kinds of jobs. */
interface Kind<Started> {
  /** The job's number, assigned by the engine. */
  numberOf(started: Started): number;
  cancel(job: number): Command;
  /** Why a job ended, as a sentence, if the connection to the engine was lost. */
  readonly lost: string;
}

interface RemoteJob<Message> {
  onMessage(message: Message): void;
  fail(problem: string): void;
}

/** Long jobs of one kind that the engine runs for this UI client; each message carries its job's number. */
export class RemoteJobs<Started, Message> {
  readonly #commands: Commands;
  readonly #kind: Kind<Started>;
  readonly #running = new Map<number, RemoteJob<Message>>();

  constructor(channel: Channel, commands: Commands, kind: Kind<Started>) {
    this.#commands = commands;
    this.#kind = kind;
    channel.onState((state) => {
      if (state.kind === "open") return;
      const running = [...this.#running.values()];
      this.#running.clear();
      for (const job of running) job.fail(reasonOf(state) ?? kind.lost);
    });
  }

  /**
   * Starts a job; `begin` returns the listener for its messages. Returns a function that cancels the job and ends the
   * reports.
   */
  start(
    command: Command,
    begin: (started: Started) => RemoteJob<Message>["onMessage"],
    fail: RemoteJob<Message>["fail"],
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
      this.#running.set(number, { onMessage: begin(started), fail });
      if (cancelled) cancel();
    });
    return cancel;
  }

  /** Passes a message to the job with that number; returns false if there is no such job. `isLast` ends the job. */
  onMessage(number: number, message: Message, isLast: boolean): boolean {
    const job = this.#running.get(number);
    if (isLast) this.#running.delete(number);
    job?.onMessage(message);
    return job !== undefined;
  }
}
