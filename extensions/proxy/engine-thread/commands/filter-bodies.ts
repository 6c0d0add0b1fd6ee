import { setTimeout as pause } from "node:timers/promises";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";
import type { Problem } from "../../../../src/engine/model/result.ts";
import type { ExchangeId, Milliseconds } from "../../../../src/engine/model/units.ts";
import type { BodiesFound } from "../../../../src/engine/session/evaluation/insights.ts";
import type { BodyMatches, Work, WorkMessage } from "../../analysis-thread/analysis-messages.ts";
import { Activity, ThrottledJob } from "../../process/timeslicer.ts";
import type { Running } from "../analysis-thread.ts";

const MOST_TEXTS = 8;
/** A search that no view asked for within this time is cancelled. */
const PATIENCE: Milliseconds = 3_000;
/** After this time, what had just been captured is in the log, which the search reads. */
const SETTLES_WITHIN: Milliseconds = 500;

interface FilterBodiesOptions {
  /** As `AnalysisThread.beginWork`. */
  readonly begin: (number: number, work: Work, running: Running) => Promise<Problem | null>;
  readonly cancel: (number: number) => void;
  /** A number that changes whenever something is captured. */
  readonly state: () => number;
  readonly isEmpty: () => boolean;
  /** Called when more is known. */
  readonly onFound: () => void;
}

interface KnownText {
  readonly job: ThrottledJob;
  readonly ids: Set<ExchangeId>;
  readonly found: { progress: number; readonly has: BodiesFound["has"] };
  /** `Work.known`. */
  count: number;
  /** The state that was searched completely; `null` for none. */
  state: number | null;
  requestedAt: Milliseconds;
}

const ALL_SEARCHED: BodiesFound = Object.freeze({ progress: 1, has: () => false });

/** The exchanges whose bodies have the texts of filters, as far as the analysis thread has searched them. */
export class FilterBodies {
  readonly #options: FilterBodiesOptions;
  readonly #texts = new Map<string, KnownText>();
  readonly #traffic: Activity;
  /** Negative, because those of UI clients' work are positive. */
  #number = 0;

  constructor(options: FilterBodiesOptions) {
    this.#options = options;
    this.#traffic = new Activity(options.state);
  }

  /** What is known about this text now. Starts a search if anything was captured since. */
  found(text: string): BodiesFound {
    if (this.#options.isEmpty()) return ALL_SEARCHED;
    const known = this.#texts.get(text) ?? this.#newText(text);
    this.#texts.delete(text);
    this.#texts.set(text, known);
    evictOldest(this.#texts, MOST_TEXTS);
    known.requestedAt = performance.now();
    if (known.state !== this.#options.state()) known.job.schedule();
    return known.found;
  }

  #newText(text: string): KnownText {
    const ids = new Set<ExchangeId>();
    const known: KnownText = {
      job: new ThrottledJob(() => this.#search(text, known), this.#traffic),
      ids,
      found: { progress: 0, has: (id) => ids.has(id) },
      count: 0,
      state: null,
      requestedAt: 0,
    };
    return known;
  }

  async #search(text: string, known: KnownText): Promise<void> {
    const state = this.#options.state();
    if (!(await this.#searchOnce(text, known)) || this.#options.state() !== state) return;
    // The latest exchanges may not have been in the log yet.
    await pause(SETTLES_WITHIN, undefined, { ref: false });
    // If anything was captured meanwhile, the views ask again.
    if (this.#options.state() === state && (await this.#searchOnce(text, known))) known.state = state;
  }

  /** Resolves with whether the search reached the end. */
  #searchOnce(text: string, known: KnownText): Promise<boolean> {
    this.#number -= 1;
    const number = this.#number;
    return new Promise((resolve) => {
      const onMessage = (message: BodyMatches | WorkMessage) => {
        if (message.type !== "body-matches") return;
        this.#take(known, message);
        if (message.done) resolve(message.progress === 1);
        else if (performance.now() - known.requestedAt > PATIENCE) this.#options.cancel(number);
      };
      const work = { kind: "bodies", text, known: known.count } as const;
      void this.#options.begin(number, work, { onMessage, onEnd: () => resolve(false) }).then((refusal) => {
        if (refusal !== null) resolve(false);
      });
    });
  }

  #take(known: KnownText, { ids, count, progress }: BodyMatches): void {
    const isNews = ids.length > 0 || progress !== known.found.progress;
    for (const id of ids) known.ids.add(id);
    known.count = count;
    known.found.progress = progress;
    if (isNews) this.#options.onFound();
  }
}
