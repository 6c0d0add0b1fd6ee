import type { Command } from "../../engine/messages/messages.ts";
import type { RepeatProgress, RepeatStarted } from "../../engine/messages/repeat-messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";
import { RemoteJobs } from "./remote-jobs.ts";

/** What a run has shown so far, or why it failed. */
export type RepeatReport =
  | { readonly kind: "progress"; readonly progress: RepeatProgress }
  | { readonly kind: "failed"; readonly problem: string };

interface RepeatRun {
  /** Ends the run. A last report follows, unless the run has not started yet. */
  stop(): void;
  /** Ends the run; no further report follows. */
  drop(): void;
}

/** Runs of repeats that the proxy sends for this UI client. */
export class Repeats {
  readonly #commands: Commands;
  readonly #jobs: RemoteJobs<RepeatStarted, RepeatProgress>;

  constructor(channel: Channel, commands: Commands) {
    this.#commands = commands;
    this.#jobs = new RemoteJobs(channel, commands, {
      numberOf: ({ repeatNumber }) => repeatNumber,
      cancel: (repeatNumber) => ({ type: "cancel-repeat", repeatNumber }),
      lost: "Connection to Weir lost. Repeat the request again.",
    });
    channel.onMessage((message) => {
      if (message.type === "repeat-progress") this.#jobs.onMessage(message.repeatNumber, message, message.done);
    });
  }

  start(command: Extract<Command, { readonly type: "repeat" }>, report: (report: RepeatReport) => void): RepeatRun {
    let number: number | null = null;
    const drop = this.#jobs.start(
      command,
      ({ repeatNumber }) => {
        number = repeatNumber;
        return (progress) => report({ kind: "progress", progress });
      },
      (problem) => report({ kind: "failed", problem }),
    );
    return {
      stop: () => {
        if (number === null) drop();
        else void this.#commands.send({ type: "cancel-repeat", repeatNumber: number });
      },
      drop,
    };
  }
}
