import type { Command } from "../../engine/messages/messages.ts";
import type { ReplayProgress, ReplayStarted } from "../../engine/messages/replay-messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";
import { RemoteJobs } from "./remote-jobs.ts";

/** What a run has shown so far, or why it failed. */
export type ReplayReport =
  | { readonly kind: "progress"; readonly progress: ReplayProgress }
  | { readonly kind: "failed"; readonly problem: string };

interface ReplayRun {
  /** Ends the run. A last report follows, unless the run has not started yet. */
  stop(): void;
  /** Ends the run; no further report follows. */
  drop(): void;
}

/** Runs of replays that the proxy sends for this UI client. */
export class Replays {
  readonly #commands: Commands;
  readonly #jobs: RemoteJobs<ReplayStarted, ReplayProgress>;

  constructor(channel: Channel, commands: Commands) {
    this.#commands = commands;
    this.#jobs = new RemoteJobs(channel, commands, {
      numberOf: ({ replayNumber }) => replayNumber,
      cancel: (replayNumber) => ({ type: "cancel-replay", replayNumber }),
      lost: "Connection to Weir lost. Repeat the request again.",
    });
    channel.onMessage((message) => {
      if (message.type === "replay-progress") this.#jobs.onMessage(message.replayNumber, message, message.done);
    });
  }

  start(command: Extract<Command, { readonly type: "replay" }>, report: (report: ReplayReport) => void): ReplayRun {
    let number: number | null = null;
    const drop = this.#jobs.start(
      command,
      ({ replayNumber }) => {
        number = replayNumber;
        return (progress) => report({ kind: "progress", progress });
      },
      (problem) => report({ kind: "failed", problem }),
    );
    return {
      stop: () => {
        if (number === null) drop();
        else void this.#commands.send({ type: "cancel-replay", replayNumber: number });
      },
      drop,
    };
  }
}
