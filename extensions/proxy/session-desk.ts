import type { Command } from "../../src/engine/messages/messages.ts";
import type { SessionCommand, SessionRecord, Sessions } from "../../src/engine/messages/session-messages.ts";
import type { Settings } from "../../src/engine/model/settings.ts";
import type { Milliseconds } from "../../src/engine/model/units.ts";
import type { SessionFigures } from "../../src/engine/session/figures.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { Clock } from "./clock.ts";
import { HarImports } from "./har-imports.ts";
import { OpenedSessions } from "./opened-sessions.ts";
import type { Recordings } from "./recordings.ts";
import type { ShownSession } from "./shown-session.ts";
import type { SessionFacts } from "./storage/session-facts.ts";
import type { SessionStore } from "./storage/sessions.ts";
import type { SettingsFile } from "./storage/settings-file.ts";
import { StoredFigures } from "./stored-figures.ts";
import { StoredHistory } from "./stored-history.ts";

/** Our choices: how often the folder's size is looked at, and kept within its limit. */
const LOOK_EVERY: Milliseconds = 1_000;
const PRUNE_EVERY: Milliseconds = 30_000;

const OVER =
  "Captured data is over its limit, and what is left of it is being recorded or shown. Begin a new session, go back from the one that is shown, or raise the limit in Settings, Captured data.";

/** The commands about sessions that are answered here; searches read what is shown, and are not. */
type Asked = Exclude<SessionCommand, { readonly type: "search" | "cancel-search" }>;

const ASKED: readonly Command["type"][] = [
  "open-session",
  "show-current",
  "describe-session",
  "delete-session",
  "set-baseline",
  "dismiss-recovered",
  "delete-captured",
  "import-har",
  "import-piece",
  "cancel-import",
] satisfies readonly Asked["type"][];

export function isAboutSessions(command: Command): command is Asked {
  return ASKED.includes(command.type);
}

interface SessionDeskOptions {
  readonly store: SessionStore;
  readonly recordings: Recordings;
  readonly settings: SettingsFile;
  readonly clock: Clock;
  /** Sessions lost their exchanges because the folder was full, in a sentence. */
  readonly onPruned: (text: string) => void;
  /** The folder is over its limit and nothing more can go, in a sentence; `null`: it is not. */
  readonly onOver: (text: string | null) => void;
}

type Measures = Pick<SessionRecord, "size" | "figures" | "exchanges">;

/** The sessions that are kept: which there are, which are shown, what is done with them, and how much of them stays. */
export class SessionDesk {
  readonly #options: SessionDeskOptions;
  readonly #figures: StoredFigures;
  readonly #imports: HarImports;
  readonly #history: StoredHistory;
  readonly opened: OpenedSessions;
  #state: Sessions = Object.freeze({ sessions: Object.freeze([]), recovered: null, size: 0 });
  #looked = { at: Number.NEGATIVE_INFINITY, revision: -1 };
  #pruned: { readonly at: number; readonly revision: number; readonly settings: Settings | null } = {
    at: Number.NEGATIVE_INFINITY,
    revision: -1,
    settings: null,
  };
  /** Of sessions that have ended, which do not change. */
  readonly #ended = new Map<string, Measures>();

  constructor(options: SessionDeskOptions) {
    const { store, recordings, settings } = options;
    this.#options = options;
    this.#figures = new StoredFigures((id) => store.figuresOf(id));
    this.#imports = new HarImports(store);
    const recorded = (): Session => recordings.session;
    this.#history = new StoredHistory(store, this.#figures, recorded, null);
    this.opened = new OpenedSessions({ store, settings, figures: this.#figures, recorded });
  }

  /** What the session that is being recorded is compared with. */
  get history(): StoredHistory {
    return this.#history;
  }

  state(): Sessions {
    const { store, clock } = this.#options;
    const { at, revision } = this.#looked;
    if (revision === store.revision && clock.now() - at < LOOK_EVERY) return this.#state;
    this.#looked = { at: clock.now(), revision: store.revision };
    const facts = store.list();
    const baseline = new Set(this.#history.baseline.sessions.map(({ id }) => id));
    const sessions = facts.map((one) => this.#recordOf(one, baseline)).reverse();
    const size = sessions.reduce((sum, one) => sum + one.size, 0);
    this.#state = Object.freeze({ sessions, recovered: store.recovered, size });
    return this.#state;
  }

  /** Throws the sentence that refuses it. */
  async carryOut(command: Asked, shown: ShownSession): Promise<unknown> {
    const { store, settings, clock } = this.#options;
    switch (command.type) {
      case "open-session":
        if (command.session === store.current?.id) return shown.close();
        await shown.open(command.session);
        if (store.recovered === command.session) store.dismissRecovered();
        this.#ended.delete(command.session); // one that was cut off has figures only now
        return this.#lookAgain();
      case "show-current":
        return shown.close();
      case "describe-session":
        return this.#said(store.describeSession(command.session, { name: command.name, notes: command.notes }));
      case "set-baseline":
        return this.#said(store.describeSession(command.session, { baseline: command.on }));
      case "delete-session":
        return this.#delete(command.session);
      case "dismiss-recovered":
        store.dismissRecovered();
        return this.#lookAgain();
      case "delete-captured":
        return this.#deleteAll();
      case "import-har":
        return this.#imports.start(
          command.fileName,
          command.as,
          clock.now(),
          settings.settings.groupSimilarPaths,
          shown,
        );
      case "import-piece": {
        const { as, ...progress } = await this.#imports.take(command.importNumber, command.text, command.last);
        if (progress.session !== null && as === "opened") await shown.open(progress.session);
        return progress;
      }
      case "cancel-import":
        return this.#imports.cancel(command.importNumber);
    }
  }

  /** Keeps the folder within its limits, visibly; call it often, it looks only now and then. */
  tick(): void {
    const { store, clock, onPruned, onOver } = this.#options;
    const { settings } = this.#options.settings;
    const isDue = clock.now() - this.#pruned.at > PRUNE_EVERY;
    if (!isDue && this.#pruned.revision === store.revision && this.#pruned.settings === settings) return;
    const { dataCap, historyKept } = settings;
    const { dropped, isOver } = store.prune(dataCap, historyKept, (id) => this.opened.isOpen(id));
    this.#pruned = { at: clock.now(), revision: store.revision, settings };
    for (const { id } of dropped) this.#ended.delete(id);
    if (dropped.length > 0) onPruned(prunedText(dropped));
    onOver(isOver ? OVER : null);
  }

  /** The page that was shown it is gone. */
  leave(shown: ShownSession): void {
    this.#imports.leave(shown);
    shown.close();
  }

  /** The program ends. */
  end(): void {
    this.#imports.cancelAll();
    this.opened.closeAll();
  }

  #recordOf(facts: SessionFacts, inBaseline: ReadonlySet<string>): SessionRecord {
    const { id, name, notes, state, imported, startedAt, endedAt, kept } = facts;
    const { size, figures, exchanges } = this.#measuresOf(facts);
    return Object.freeze({
      id,
      name,
      notes,
      state,
      imported,
      startedAt,
      endedAt,
      exchanges,
      kept,
      size,
      figures,
      baseline: baselineOf(facts, inBaseline.has(id), figures?.endpoints ?? 0),
    });
  }

  #measuresOf(facts: SessionFacts): Measures {
    const { store, recordings } = this.#options;
    const { id, state } = facts;
    if (state === "current") {
      return { size: store.sizeOf(id), figures: figuresSoFar(recordings.session), exchanges: facts.exchanges };
    }
    const known = this.#ended.get(id) ?? this.#measured(facts);
    this.#ended.set(id, known);
    return known;
  }

  #measured({ id, exchanges }: SessionFacts): Measures {
    return { size: this.#options.store.sizeOf(id), figures: summaryOf(this.#figures.of(id)), exchanges };
  }

  #delete(id: string): null {
    this.opened.close(id);
    this.#ended.delete(id);
    this.#figures.forget(id);
    return this.#said(this.#options.store.deleteSession(id));
  }

  #deleteAll(): null {
    const { store, recordings, clock } = this.#options;
    this.#imports.cancelAll();
    this.opened.closeAll();
    recordings.discard(clock.now());
    const problems = store.list().flatMap(({ id }) => store.deleteSession(id) ?? []);
    this.#ended.clear();
    return this.#said(problems[0] ?? null);
  }

  #said(problem: string | null): null {
    this.#lookAgain();
    if (problem !== null) throw new Error(problem);
    return null;
  }

  #lookAgain(): null {
    this.#looked = { at: Number.NEGATIVE_INFINITY, revision: -1 };
    return null;
  }
}

function baselineOf({ state, baseline }: SessionFacts, isIn: boolean, endpoints: number): SessionRecord["baseline"] {
  if (state !== "completed") return "not-ended";
  if (!baseline) return "left-out";
  if (isIn) return "in";
  return endpoints === 0 ? "too-small" : "older";
}

function summaryOf(figures: SessionFigures | null): SessionRecord["figures"] {
  return figures === null ? null : summarized(figures, figures.endpoints.length);
}

function figuresSoFar({ summary, tallies }: Session): SessionRecord["figures"] {
  return summarized(summary, tallies.withRow().length);
}

function summarized(
  { p95, counted, errors, bytes }: Pick<SessionFigures, "p95" | "counted" | "errors" | "bytes">,
  endpoints: number,
): SessionRecord["figures"] {
  const errorRate = counted === 0 ? null : (errors / counted) * 100;
  return Object.freeze({ p95, errorRate, bytes, endpoints });
}

function prunedText(dropped: readonly SessionFacts[]): string {
  const which = dropped.length === 1 ? "the oldest session" : `the ${dropped.length} oldest sessions`;
  return `Captured data reached its limit, so the exchanges of ${which} were deleted. Their figures are kept.`;
}
