import { BASELINE_SESSIONS } from "../../src/engine/insights/trends.ts";
import { figuresOf, type SessionFigures } from "../../src/engine/session/figures.ts";
import { Baseline, type History, type PastSession } from "../../src/engine/session/history.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { SessionFacts } from "./storage/session-facts.ts";
import type { SessionStore } from "./storage/sessions.ts";
import { storedFiguresOf } from "./stored-figures.ts";

/** Our choice: figures that are held in memory, for the baseline and a comparison. */
const MOST_HELD = 2 * BASELINE_SESSIONS;

/** The figures of sessions that have ended, read once and held as long as they may be asked for again. */
export class StoredFigures {
  readonly #read: (id: string) => unknown;
  readonly #held = new Map<string, SessionFigures | null>();

  /** `read`: what is stored of a session. */
  constructor(read: (id: string) => unknown) {
    this.#read = read;
  }

  of(id: string): SessionFigures | null {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const figures = storedFiguresOf(this.#read(id));
    this.#held.set(id, figures);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break;
      this.#held.delete(oldest);
    }
    return figures;
  }

  /** They were made anew, or are gone. */
  forget(id: string): void {
    this.#held.delete(id);
  }

  /** decisions.md, Trend: the latest 10 completed sessions that count (an endpoint reached 5 requests, and nobody left it out), oldest first. */
  baseline(sessions: readonly SessionFacts[]): readonly PastSession[] {
    const found: PastSession[] = [];
    for (const { id, name, startedAt, state, baseline } of sessions.toReversed()) {
      if (found.length === BASELINE_SESSIONS) break;
      if (state !== "completed" || !baseline) continue;
      const figures = this.of(id);
      if (figures !== null && figures.endpoints.length > 0) found.push({ id, name, startedAt, figures });
    }
    return found.reverse();
  }
}

/** What a session is compared with: those that were completed before it. */
export class StoredHistory implements History {
  readonly #store: SessionStore;
  readonly #figures: StoredFigures;
  readonly #recorded: () => Session;
  readonly #before: string | null;
  #known: { readonly version: number; readonly baseline: Baseline } | null = null;

  /** `before`: the stored session that is shown; `null`: the one that is being recorded. */
  constructor(store: SessionStore, figures: StoredFigures, recorded: () => Session, before: string | null) {
    this.#store = store;
    this.#figures = figures;
    this.#recorded = recorded;
    this.#before = before;
  }

  get version(): number {
    return this.#store.revision;
  }

  get baseline(): Baseline {
    if (this.#known?.version !== this.version) {
      const sessions = this.#store.list().filter(({ id }) => this.#before === null || id < this.#before);
      this.#known = { version: this.version, baseline: new Baseline(this.#figures.baseline(sessions)) };
    }
    return this.#known.baseline;
  }

  figuresOf(id: string): SessionFigures | null {
    return this.#figures.of(id);
  }

  current(): SessionFigures {
    return figuresOf(this.#recorded());
  }
}
