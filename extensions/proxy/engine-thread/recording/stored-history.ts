import { figuresOf, type SessionFigures } from "../../../../src/engine/session/lists/figures.ts";
import { Baseline, type History } from "../../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { StoredFigures } from "../../export/stored-figures.ts";
import type { SessionStore } from "../../storage/sessions.ts";

/** The baseline of a session: the completed sessions that began before it. */
export class StoredHistory implements History {
  readonly #store: SessionStore;
  readonly #figures: StoredFigures;
  readonly #recorded: () => Session;
  readonly #before: string | null;
  #known: { readonly version: number; readonly baseline: Baseline } | null = null;

  /** `before`: id of the stored session that is shown; `null` for the current session. */
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
