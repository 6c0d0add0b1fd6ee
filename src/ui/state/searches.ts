import type { SearchHit, SearchHits, SearchStarted } from "../../engine/messages/session-messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";
import { RemoteJobs } from "./remote-jobs.ts";

/** The new hits of a search since the last report, or the reason why the search ended. */
export type SearchReport =
  | {
      readonly kind: "found";
      readonly hits: readonly SearchHit[];
      readonly progress: number;
      readonly done: boolean;
      /** Whether there may be further hits. */
      readonly cut: boolean;
    }
  | { readonly kind: "failed"; readonly problem: string };

/** Text searches that the engine runs for this UI client. */
export class Searches {
  readonly #jobs: RemoteJobs<SearchStarted, SearchHits>;

  constructor(channel: Channel, commands: Commands) {
    this.#jobs = new RemoteJobs(channel, commands, {
      numberOf: ({ searchNumber }) => searchNumber,
      cancel: (searchNumber) => ({ type: "cancel-search", searchNumber }),
      lost: "Connection to Weir lost. Search again.",
    });
    channel.onMessage((message) => {
      if (message.type === "search-hits") this.#jobs.onMessage(message.searchNumber, message, message.done);
    });
  }

  /** Starts a search. Returns a function that cancels the search and ends the reports. */
  start(text: string, report: (report: SearchReport) => void): () => void {
    return this.#jobs.start(
      { type: "search", text },
      () =>
        ({ hits, progress, done, cut, problem }) =>
          report(problem === null ? { kind: "found", hits, progress, done, cut } : { kind: "failed", problem }),
      (problem) => report({ kind: "failed", problem }),
    );
  }
}
