import type { SearchHit, SearchHits, SearchStarted } from "../../engine/messages/session-messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";
import { Errands } from "./errands.ts";

/** What a search says: what it has found since it said so last, or why it goes no further. */
export type SearchReport =
  | {
      readonly kind: "found";
      readonly hits: readonly SearchHit[];
      readonly progress: number;
      readonly done: boolean;
      /** There may be more than it tells. */
      readonly cut: boolean;
    }
  | { readonly kind: "failed"; readonly problem: string };

/** Searches through headers and bodies that the engine runs for this page. */
export class Searches {
  readonly #errands: Errands<SearchStarted, SearchHits>;

  constructor(channel: Channel, commands: Commands) {
    this.#errands = new Errands(channel, commands, {
      numberOf: ({ searchNumber }) => searchNumber,
      cancel: (searchNumber) => ({ type: "cancel-search", searchNumber }),
      lost: "The connection to Weir was lost. Search again.",
    });
    channel.onMessage((message) => {
      if (message.type === "search-hits") this.#errands.hear(message.searchNumber, message, message.done);
    });
  }

  /** Gives what cancels it: after that it reports nothing. */
  start(text: string, report: (report: SearchReport) => void): () => void {
    return this.#errands.start(
      { type: "search", text },
      () =>
        ({ hits, progress, done, cut }) =>
          report({ kind: "found", hits, progress, done, cut }),
      (problem) => report({ kind: "failed", problem }),
    );
  }
}
