import { setImmediate } from "node:timers/promises";
import type {
  ClearUndone,
  SessionRecord,
  Sessions,
  TrashedSession,
} from "../../../../src/engine/messages/session-messages.ts";
import type { Summary } from "../../../../src/engine/messages/status-messages.ts";
import type { Problem } from "../../../../src/engine/model/result.ts";
import type { Settings } from "../../../../src/engine/model/settings.ts";
import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import { Cached } from "../../../../src/engine/session/evaluation/cached.ts";
import type { SessionFigures } from "../../../../src/engine/session/lists/figures.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { StoredFigures } from "../../export/stored-figures.ts";
import type { Clock } from "../../process/clock.ts";
import type { SessionFacts } from "../../storage/session-facts.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import { HarImports } from "../recording/har-imports.ts";
import { StoredHistory } from "../recording/stored-history.ts";
import type { Handlers } from "./execute.ts";
import { OpenedSessions, type OpenedSessionsOptions } from "./opened-sessions.ts";
import type { ShownSession } from "./shown-session.ts";

/** The interval between measurements of the data folder, and between prunings. */
const LOOK_EVERY: Milliseconds = 1_000;
const PRUNE_EVERY: Milliseconds = 30_000;

const OVER =
  "Captured data is over its limit, and Weir deletes no session that is being recorded or shown. Start a new session, close the opened session, or raise the limit in Settings, Captured data.";

interface SessionCommandsOptions extends Pick<OpenedSessionsOptions, "store" | "grouping" | "settings" | "onTrouble"> {
  readonly currentSession: CurrentSession;
  readonly clock: Clock;
  /** Called with a sentence if exchanges of sessions were deleted, because the folder was over its limit. */
  readonly onPruned: (text: string) => void;
  /** Called after each pruning: with a sentence if the folder is still over its limit, else with `null`. */
  readonly onOver: (text: string | null) => void;
  /** Ends the analysis of the current session, so that its files can be deleted. */
  readonly endAnalysis: () => Promise<void>;
  readonly cut: SessionCut;
  readonly imports?: HarImports;
}

/**
 * Calls `end` between the events before and after a cut of the data thread, since the engine may be behind the proxy.
 * Resolves with its result.
 */
export type SessionCut = <Ended>(end: (at: Instant) => Ended) => Promise<Ended>;

type Measures = Pick<SessionRecord, "size" | "figures" | "exchanges">;

/** Lists, opens, changes, imports, deletes and prunes the stored sessions. */
export class SessionCommands {
  readonly #options: SessionCommandsOptions;
  readonly #figures: StoredFigures;
  readonly #imports: HarImports;
  readonly #history: StoredHistory;
  readonly opened: OpenedSessions;
  readonly handlers = {
    "open-session": async ({ session }, { shown }) => {
      const { store } = this.#options;
      if (session === store.current?.id) return shown.close();
      await shown.open(session);
      if (store.recovered === session) store.dismissRecovered();
      this.#ended.delete(session); // an interrupted session gets its figures when it is first opened
      return this.#lookAgain();
    },
    "show-current": (_, { shown }) => shown.close(),
    "describe-session": ({ session, words }) => this.#said(this.#options.store.describeSession(session, words)),
    "set-baseline": ({ session, on }) => this.#said(this.#options.store.describeSession(session, { baseline: on })),
    "delete-session": async ({ session }) => {
      const { store, clock } = this.#options;
      await this.#forget(session);
      return this.#said(store.trashSession(session, clock.now()));
    },
    "restore-session": ({ session }) => this.#said(this.#options.store.restoreSession(session)),
    "undo-clear": ({ session }): ClearUndone => {
      const { store, currentSession } = this.#options;
      const goesOn = session === currentSession.cleared && currentSession.undoClear();
      if (!goesOn) this.#said(store.restoreSession(session));
      return { goesOn };
    },
    "delete-for-good": async ({ session }) => {
      await this.#forget(session);
      return this.#said(this.#options.store.deleteSession(session));
    },
    "empty-trash": () => this.#said(this.#emptyTrash()),
    "dismiss-recovered": () => {
      this.#options.store.dismissRecovered();
      return this.#lookAgain();
    },
    "delete-captured": () => this.#deleteAll(),
    "import-har": ({ fileName, as }, { shown }) => {
      const { clock, grouping } = this.#options;
      return this.#imports.start(fileName, as, clock.now(), grouping.templates(), shown);
    },
    "import-piece": async ({ importNumber, base64, last }, { shown }) => {
      const bytes = Buffer.from(base64, "base64");
      const { as, ...progress } = await this.#imports.addPiece(importNumber, bytes, last);
      if (progress.session !== null && as === "opened") await shown.open(progress.session);
      return progress;
    },
    "cancel-import": async ({ importNumber }) => this.#imports.cancel(importNumber),
  } satisfies Partial<Handlers>;
  #state: Sessions = Object.freeze({ sessions: Object.freeze([]), trash: Object.freeze([]), recovered: null, size: 0 });
  readonly #trash = new Cached<readonly TrashedSession[]>();
  #looked: { readonly at: Instant; readonly revision: number } | null = null;
  #pruned: { readonly at: Instant; readonly revision: number; readonly settings: Settings } | null = null;
  /** Measures of ended sessions. Cached, since these sessions do not change. */
  readonly #ended = new Map<string, Measures>();
  #isFinished = false;

  constructor(options: SessionCommandsOptions) {
    const { store, currentSession, grouping, settings, onTrouble } = options;
    this.#options = options;
    this.#figures = new StoredFigures((id) => store.figuresOf(id));
    this.#imports = options.imports ?? new HarImports(store);
    const recorded = (): Session => currentSession.session;
    this.#history = new StoredHistory(store, this.#figures, recorded, null);
    const onChanged = (id: string) => this.measureAgain(id);
    this.opened = new OpenedSessions({
      store,
      settings,
      grouping,
      figures: this.#figures,
      recorded,
      onTrouble,
      onChanged,
    });
    void this.#measureAhead();
  }

  /**
   * Measures the stored sessions, the newest first, one after another in slices. The first list would otherwise read
   * all of them in one turn.
   */
  async #measureAhead(): Promise<void> {
    for (const { id, exchanges, state } of this.#options.store.list().toReversed()) {
      if (state === "current") continue;
      await setImmediate();
      const figures = await this.#figures.ahead(id, setImmediate);
      if (this.#isFinished) return;
      if (figures === null || this.#ended.has(id)) continue;
      this.#ended.set(id, { size: this.#options.store.sizeOf(id), figures: summaryOf(figures), exchanges });
    }
  }

  /** Called when a stored session has another size or other figures. */
  measureAgain(id: string): void {
    this.#ended.delete(id);
    this.#lookAgain();
  }

  get history(): StoredHistory {
    return this.#history;
  }

  state(): Sessions {
    const { store, clock } = this.#options;
    const looked = this.#looked;
    if (looked?.revision === store.revision && clock.now() - looked.at < LOOK_EVERY) return this.#state;
    this.#looked = { at: clock.now(), revision: store.revision };
    const facts = store.list();
    const baseline = new Set(this.#history.baseline.sessions.map(({ id }) => id));
    const sessions = facts.map((one) => this.#recordOf(one, baseline)).reverse();
    const trash = this.#trashed();
    const size = [...sessions, ...trash].reduce((sum, one) => sum + one.size, 0);
    this.#state = Object.freeze({ sessions, trash, recovered: store.recovered, size });
    return this.#state;
  }

  /** Prunes the folder to its limits if that is due, and reports the result. May be called often. */
  tick(): void {
    const { store, clock, onPruned, onOver } = this.#options;
    const { settings } = this.#options.settings;
    const pruned = this.#pruned;
    const isSame = pruned?.revision === store.revision && pruned.settings === settings;
    if (isSame && clock.now() - pruned.at <= PRUNE_EVERY) return;
    const { dataCap, historyKept } = settings;
    store.emptyOldTrash(clock.now());
    const { dropped, isOver } = store.prune(dataCap, historyKept, (id) => this.opened.isOpen(id));
    this.#pruned = { at: clock.now(), revision: store.revision, settings };
    for (const { id } of dropped) this.#ended.delete(id);
    if (dropped.length > 0) onPruned(prunedText(dropped));
    onOver(isOver ? OVER : null);
  }

  detach(shown: ShownSession): void {
    void this.#imports.cancelFor(shown);
    shown.close();
  }

  /** Cancels imports and closes opened sessions before the program ends. */
  async finish(): Promise<void> {
    this.#isFinished = true;
    await Promise.all([this.#imports.cancelAll(), this.opened.closeAll()]);
  }

  #recordOf(facts: SessionFacts, inBaseline: ReadonlySet<string>): SessionRecord {
    const { id, name, title, notes, state, imported, startedAt, endedAt, kept } = facts;
    const measures = this.#measuresOf(facts);
    return Object.freeze({
      id,
      name,
      title,
      notes,
      state,
      imported,
      startedAt,
      endedAt,
      kept,
      ...measures,
      baseline: baselineOf(facts, inBaseline.has(id), measures.figures?.endpoints ?? 0),
    });
  }

  #measuresOf(facts: SessionFacts): Measures {
    const { store, currentSession } = this.#options;
    const { id, state } = facts;
    if (state === "current") {
      const size = store.writer?.stored ?? 0;
      return { size, figures: figuresSoFar(currentSession.session), exchanges: facts.exchanges };
    }
    const known = this.#ended.get(id) ?? this.#measured(facts);
    this.#ended.set(id, known);
    return known;
  }

  #measured({ id, exchanges }: SessionFacts): Measures {
    return { size: this.#options.store.sizeOf(id), figures: summaryOf(this.#figures.of(id)), exchanges };
  }

  /** Closes a session that is put into the trash or deleted, and forgets its figures. */
  async #forget(id: string): Promise<void> {
    await this.opened.close(id);
    this.#ended.delete(id);
    this.#figures.remove(id);
  }

  #emptyTrash(): Problem | null {
    const { store } = this.#options;
    const problems = store.trash().flatMap(({ id }) => store.deleteSession(id) ?? []);
    return problems[0] ?? null;
  }

  #trashed(): readonly TrashedSession[] {
    const { store } = this.#options;
    return this.#trash.of([store.revision], () => {
      const sessions = store.trash().map(({ id, name, title, startedAt, exchanges, trashedAt }) => {
        return Object.freeze({ id, name, title, startedAt, exchanges, trashedAt, size: store.sizeOf(id) });
      });
      return Object.freeze(sessions);
    });
  }

  async #deleteAll(): Promise<null> {
    const { store, currentSession, cut, endAnalysis } = this.#options;
    await Promise.all([this.#imports.cancelAll(), this.opened.closeAll(), endAnalysis()]);
    await cut((at) => currentSession.discard(at));
    const problems = store.list().flatMap(({ id }) => store.deleteSession(id) ?? []);
    this.#ended.clear();
    return this.#said(problems[0] ?? this.#emptyTrash());
  }

  #said(problem: string | null): null {
    this.#lookAgain();
    if (problem !== null) throw new Error(problem);
    return null;
  }

  #lookAgain(): null {
    this.#looked = null;
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
  if (figures === null) return null;
  const { latencies, endpoints } = figures;
  return summarized({ ...figures, p95: latencies?.p95 ?? null }, endpoints.length);
}

function figuresSoFar({ summary, tallies }: Session): SessionRecord["figures"] {
  return summarized(summary, tallies.withRow().length);
}

function summarized(
  { p95, counted, errors, bytes }: Pick<Summary, "p95" | "counted" | "errors" | "bytes">,
  endpoints: number,
): SessionRecord["figures"] {
  const errorRate = counted === 0 ? null : (errors / counted) * 100;
  return Object.freeze({ p95, errorRate, bytes, endpoints });
}

function prunedText(dropped: readonly SessionFacts[]): string {
  const which = dropped.length === 1 ? "the oldest session" : `the ${dropped.length} oldest sessions`;
  return `Captured data reached its limit, so the exchanges of ${which} were deleted. Their figures are kept.`;
}
