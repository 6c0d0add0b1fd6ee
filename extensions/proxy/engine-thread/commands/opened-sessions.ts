import type { Settings } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import type { History } from "../../../../src/engine/session/lists/history.ts";
import { sessionTitleOf } from "../../../../src/engine/session/lists/session-title.ts";
import type { Archive } from "../../../../src/engine/session/queries/context.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { keptFiguresOf, type StoredFigures } from "../../export/stored-figures.ts";
import { Timeslicer } from "../../process/timeslicer.ts";
import type { SessionFacts } from "../../storage/session-facts.ts";
import type { SessionReader } from "../../storage/session-reader.ts";
import type { SessionStore } from "../../storage/sessions.ts";
import type { SettingsFile } from "../../storage/settings-file.ts";
import { DeletedRows, type DeletionChange, storedChange } from "../recording/deleted-rows.ts";
import type { PathGrouping } from "../recording/path-grouping.ts";
import { StoredHistory, storedArchive } from "../recording/stored-history.ts";
import { SessionInsights } from "./session-insights.ts";

/** The most events of a stored session that are folded between two calls of `pause`. */
const EVENTS_AT_ONCE = 200;

/**
 * The pause after a time slice, as a multiple of the slice. Opening a session takes up to two thirds of the thread's
 * time, because the user waits.
 */
const REST = 0.5;

export interface OpenedSession {
  readonly facts: SessionFacts;
  readonly session: Session;
  readonly reader: SessionReader;
  readonly archive: Archive;
  readonly insights: SessionInsights;
  readonly history: History;
}

interface Opening {
  readonly reader: SessionReader;
  /** Resolves with the session once it is read; `null` only until reading begins. */
  whole: Promise<OpenedSession> | null;
  /** The number of UI clients that show the session or wait for it. */
  users: number;
  progress: number;
  opened: OpenedSession | null;
  readonly deletedRows: DeletedRows;
  closed: boolean;
}

export interface OpenedSessionsOptions {
  readonly store: SessionStore;
  readonly settings: SettingsFile;
  readonly grouping: PathGrouping;
  readonly figures: StoredFigures;
  /** Called with why the analysis of a session failed, as a phrase; with `null` once it answers again. */
  readonly onTrouble: (trouble: string | null) => void;
  readonly recorded: () => Session;
  /** Called when a session has other figures. */
  readonly onChanged: (id: string) => void;
}

/** The stored sessions that UI clients show. Each is in memory once, as long as a client shows it. */
export class OpenedSessions {
  readonly #options: OpenedSessionsOptions;
  readonly #openings = new Map<string, Opening>();
  #again: Promise<void> = Promise.resolve();

  constructor(options: OpenedSessionsOptions) {
    this.#options = options;
  }

  /** Opens a session. Throws a sentence if it cannot be opened. Each call needs one call of `release`. */
  async open(id: string): Promise<OpenedSession> {
    const opening = this.#openings.get(id) ?? this.#begin(id);
    opening.users += 1;
    if (opening.whole === null) throw new Error("a session that nobody reads");
    return opening.whole;
  }

  release(id: string): void {
    const opening = this.#openings.get(id);
    if (opening === undefined) return;
    opening.users -= 1;
    if (opening.users === 0) void this.close(id);
  }

  /** Closes a session. UI clients that show it return to the current one. Resolves once its files are closed. */
  async close(id: string): Promise<void> {
    const opening = this.#openings.get(id);
    if (opening === undefined) return;
    this.#openings.delete(id);
    opening.closed = true;
    opening.opened?.reader.close();
    await opening.opened?.insights.endAnalysis();
  }

  isOpen(id: string): boolean {
    return this.#openings.has(id);
  }

  /** The session as it was read last; `null` if it was closed. One that was closed and opened again is another one. */
  latest({ facts, reader }: OpenedSession): OpenedSession | null {
    const opening = this.#openings.get(facts.id);
    return opening?.reader === reader ? opening.opened : null;
  }

  /**
   * Changes which exchanges of a session are deleted, as `CurrentSession.changeDeletions`, and stores its figures.
   * Reads the session again if it is no longer open, or if an exchange of the change is not in memory.
   */
  async changeDeletions(id: string, change: DeletionChange): Promise<void> {
    const problem = this.#options.store.changeDeletions(id, storedChange(change));
    if (problem !== null) throw new Error(problem);
    const opening = this.#openings.get(id);
    const before = opening?.opened ?? null;
    if (opening === undefined || before === null || !isInMemory(before.session, change)) return this.readAgain(id);
    const session = opening.deletedRows.change(change);
    opening.opened = this.#openedAs(session, before.facts, before.reader);
    await before.insights.endAnalysis();
    await opening.deletedRows.counted();
    this.#keepRest(session, id, false);
  }

  /**
   * Reads a session again from which exchanges were deleted, and stores its figures. If it is open, its views then show
   * the rest.
   */
  readAgain(id: string): Promise<void> {
    const again = this.#again.catch(() => {}).then(() => this.#readAgain(id));
    this.#again = again.catch(() => {});
    return again;
  }

  async #readAgain(id: string): Promise<void> {
    const opening = this.#openings.get(id);
    const before = opening?.opened ?? null;
    if (opening === undefined || before === null) return this.#keepRest((await this.open(id)).session, id, true);
    try {
      const { session } = await this.#read(opening, before.facts, opening.reader);
      await before.insights.endAnalysis();
      this.#keepRest(session, id, false);
    } catch (error) {
      if (!opening.closed) throw error;
      await this.#readAgain(id);
    }
  }

  #keepRest(session: Session, id: string, isReleased: boolean): void {
    const problem = this.#options.store.keepRest(id, session.exchanges, keptFiguresOf(session));
    this.#options.figures.remove(id);
    this.#options.onChanged(id);
    if (isReleased) this.release(id);
    if (problem !== null) throw new Error(problem);
  }

  /** How much of the session has been read, 0 to 1. */
  progressOf(id: string): number {
    return this.#openings.get(id)?.progress ?? 0;
  }

  /** Applies changed settings of path grouping. */
  regroup(): void {
    for (const { opened, deletedRows } of this.#openings.values()) {
      deletedRows.countNow();
      if (opened !== null) regroup(opened.session, this.#options.grouping);
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#openings.keys()].map((id) => this.close(id)));
  }

  #begin(id: string): Opening {
    const { store } = this.#options;
    const facts = store.list().find((one) => one.id === id);
    if (facts === undefined) throw new Error("This session cannot be opened: it no longer exists.");
    const reader = store.openEnded(id);
    if (!reader.ok) throw new Error(`This session cannot be opened: ${reader.problem}.`);
    const opening: Opening = {
      reader: reader.value,
      whole: null,
      users: 0,
      progress: 0,
      opened: null,
      closed: false,
      deletedRows: new DeletedRows(() => {
        if (opening.opened === null) throw new Error("exchanges of a session that was not read");
        return opening.opened.session;
      }),
    };
    this.#openings.set(id, opening);
    opening.whole = this.#read(opening, facts, reader.value).catch((error: unknown) => {
      void this.close(id);
      throw error;
    });
    return opening;
  }

  async #read(opening: Opening, facts: SessionFacts, reader: SessionReader): Promise<OpenedSession> {
    const { store, settings, grouping, figures } = this.#options;
    const before = settings.settings;
    const session = new Session(undefined, grouping.templates());
    const slicer = new Timeslicer(REST);
    const pause = async () => {
      await slicer.pause();
      if (!opening.closed) return;
      reader.close();
      throw new Error("This session was closed before it was read.");
    };
    let count = 0;
    for (const events of reader.batches(facts.state === "recovered")) {
      for (const event of events) {
        session.apply([event]);
        count += 1;
        if (count % EVENTS_AT_ONCE === 0) await pause();
      }
      opening.progress = Math.min(1, session.exchanges / Math.max(1, facts.exchanges));
      await pause();
    }
    for (const [id, annotation] of reader.annotations()) session.annotate(id, annotation);
    if (areGroupedAlike(before, settings.settings)) session.learn();
    else regroup(session, grouping);
    // An interrupted session ends when its files were last written. If the clock was set back, this time is too early,
    // and the session ends with its last event.
    session.freeze(Math.max(facts.endedAt ?? Number.NEGATIVE_INFINITY, session.table.lastTime) as Instant);
    if (store.figuresOf(facts.id) === null) {
      store.keepFigures(facts.id, keptFiguresOf(session));
      figures.remove(facts.id);
    }
    // A session of an earlier version, or one that was cut off early, has no title.
    if (facts.name === "" && facts.title === "") store.describeSession(facts.id, { title: sessionTitleOf(session) });
    const opened = this.#openedAs(session, facts, reader);
    opening.opened = opened;
    return opened;
  }

  #openedAs(session: Session, facts: SessionFacts, reader: SessionReader): OpenedSession {
    const { store, settings, figures, recorded, onTrouble } = this.#options;
    const history = new StoredHistory(store, figures, recorded, facts.id);
    return {
      facts,
      session,
      reader,
      archive: storedArchive(() => reader),
      insights: new SessionInsights({
        session,
        reader: () => reader,
        wasCutOff: facts.state === "recovered",
        chainGap: () => settings.settings.chainGap,
        until: () => Number.POSITIVE_INFINITY as Instant,
        captured: () => recorded().revision,
        baseline: () => history.baseline,
        onTrouble,
      }),
      history,
    };
  }
}

/** Whether the session has all exchanges of the change, and can hide those that are to go. */
function isInMemory({ table }: Session, { gone, back }: DeletionChange): boolean {
  const canHide = (id: ExchangeId): boolean => {
    const row = table.rowOf(id);
    return row !== null && table.hasEndedAt(row);
  };
  return gone.every(canHide) && back.every((id) => table.isHidden(id));
}

function regroup(session: Session, grouping: PathGrouping): void {
  session.regroup(grouping.templates());
  session.learn();
}

function areGroupedAlike(one: Settings, other: Settings): boolean {
  return one.groupSimilarPaths === other.groupSimilarPaths && one.pathRules === other.pathRules;
}
