import type { SearchHit, SearchHits, SearchStarted } from "../../engine/messages/session-messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";

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

const LOST: SearchReport = Object.freeze({ kind: "failed", problem: "The connection to Weir was lost. Search again." });

type Report = (report: SearchReport) => void;

/** Searches through headers and bodies that the engine runs for this page. */
export class Searches {
  readonly #commands: Commands;
  readonly #running = new Map<number, Report>();

  constructor(channel: Channel, commands: Commands) {
    this.#commands = commands;
    channel.onMessage((message) => {
      if (message.type === "search-hits") this.#receive(message);
    });
    channel.onState((state) => {
      if (state.kind === "open") return;
      for (const report of this.#running.values()) report(LOST);
      this.#running.clear();
    });
  }

  /** Gives what cancels it: after that it reports nothing. */
  start(text: string, report: Report): () => void {
    let number: number | null = null;
    let cancelled = false;
    const cancel = (): void => {
      cancelled = true;
      if (number === null || !this.#running.delete(number)) return;
      void this.#commands.send({ type: "cancel-search", searchNumber: number });
    };
    void this.#commands.send({ type: "search", text }).then((reply) => {
      if (!reply.ok) {
        if (!cancelled) report({ kind: "failed", problem: reply.problem });
        return;
      }
      number = (reply.value as SearchStarted).searchNumber;
      this.#running.set(number, report);
      if (cancelled) cancel();
    });
    return cancel;
  }

  #receive({ searchNumber, hits, progress, done, cut }: SearchHits): void {
    const report = this.#running.get(searchNumber);
    if (done) this.#running.delete(searchNumber);
    report?.({ kind: "found", hits, progress, done, cut });
  }
}
