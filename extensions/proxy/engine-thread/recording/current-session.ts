import type { CaptureEvent, ClientNamed } from "../../../../src/engine/capture/event.ts";
import type { Annotation } from "../../../../src/engine/model/annotation.ts";
import type { ChangeMark } from "../../../../src/engine/model/experiment.ts";
import type { Problem } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import { OperationReader } from "../../../../src/engine/report/operation-reader.ts";
import { sessionTitleOf } from "../../../../src/engine/session/lists/session-title.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { keptFiguresOf } from "../../export/stored-figures.ts";
import { newLogPosition, type SessionReader } from "../../storage/session-reader.ts";
import type { SessionStore } from "../../storage/sessions.ts";
import type { StoreStatus } from "../../storage/store-status.ts";
import { DeletedRows, type DeletionChange, storedChange } from "./deleted-rows.ts";
import { KnownConnections } from "./known-connections.ts";
import type { PathGrouping } from "./path-grouping.ts";

/**
 * docs/specification.md, Clear: for how long an undo continues the session, although another has begun, and if none
 * has: the memory of the cleared one is held as long.
 */
const UNDO_TIME: Milliseconds = 10_000;
const IDLE_UNDO_TIME: Milliseconds = 60_000;

/** The shortest time between two searches for similar paths. */
const LEARN_EVERY: Milliseconds = 2_000;
/** The shortest time between two looks for the session's title. */
const TITLE_EVERY: Milliseconds = 10_000;
/** At least this time per exchange of the session passes between two searches for paths, or looks for the title. */
const LEARN_FOR_EACH: Milliseconds = 0.01;

interface Cleared {
  readonly session: Session;
  readonly at: Instant;
}

/**
 * The current session, in memory and on disk; it begins with the first exchange. While Clear can be undone, the old and
 * the new session both record the same exchanges:
 *
 *   exchanges ── clear ── 10 s: to both sessions ──┬─ the old session stays in the trash as it was cleared
 *                                                  └─ undo: the old session continues, the new one is deleted
 */
export class CurrentSession {
  readonly #store: SessionStore;
  #session: Session;
  readonly #grouping: PathGrouping | null;
  readonly #operations = new OperationReader();
  #rowCap: number;
  #learnAt = Number.NEGATIVE_INFINITY;
  #titleAt = Number.NEGATIVE_INFINITY;
  readonly #deletedRows = new DeletedRows(() => this.#session);
  #deleting: Promise<void> | null = null;
  #cleared: Cleared | null = null;
  #batch = 0;
  #lastId = 0;
  /** The conditions in force, in words; `null` without any. */
  #slowed: string | null = null;
  /** The name of the session that begins with the next exchange; "" if it has none. */
  #nextName = "";
  readonly #connections = new KnownConnections();

  /**
   * If the store continues a session, rebuilds that session from its stored events. `grouping`: `null` if every path is
   * shown by itself. `rowCap`: as in `Session`. `wasCutOff`: the process of the session was killed, so its unfinished
   * exchanges end.
   */
  constructor(
    store: SessionStore,
    grouping: PathGrouping | null,
    rowCap: number = DEFAULT_SETTINGS.rowCap,
    wasCutOff = false,
  ) {
    this.#store = store;
    this.#grouping = grouping;
    this.#rowCap = rowCap;
    this.#session = this.#newSession();
    const logPosition = newLogPosition();
    for (const events of this.reader()?.batchesAfter(logPosition) ?? []) {
      this.#session.apply(events);
      for (const event of events) if (event.type === "request-started") this.#lastId = Math.max(this.#lastId, event.id);
    }
    // The ids of deleted exchanges are not given again before they are purged.
    for (const id of store.deleted) this.#lastId = Math.max(this.#lastId, id);
    for (const [id, annotation] of this.reader()?.annotations() ?? []) this.#session.annotate(id, annotation);
    this.#batch = store.writer?.written ?? 0;
    if (wasCutOff) this.addEvents(this.reader()?.endsAt(logPosition) ?? []);
  }

  get session(): Session {
    return this.#session;
  }

  /** Calls `work` once all figures are without the deleted exchanges: mostly at once. */
  onceDeleted<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#deleting === null ? work() : this.#deleting.then(work);
  }

  /** The highest id among the exchanges of the continued session; 0 if none was continued. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Labels this session and each later one, and leaves them out of the baseline, until the conditions end (`null`). */
  set slowed(conditions: string | null) {
    if (conditions === this.#slowed) return;
    this.#slowed = conditions;
    this.#labelSlowed();
  }

  /** A reader of everything captured so far; `null` if nothing was captured. */
  reader(): SessionReader | null {
    return this.#store.writer?.reader() ?? null;
  }

  /** The session's id; `null` before its first exchange. */
  get id(): string | null {
    return this.#store.current?.id ?? null;
  }

  get cleared(): string | null {
    return this.#store.cleared;
  }

  /** The number of the latest batch that is on disk and so survives a kill of the process. */
  get written(): number {
    return this.#store.written ?? this.#batch;
  }

  /**
   * Adds events and returns them with the operations that their requests name. `batch`: the number of their batch;
   * `null` for events of the engine thread.
   */
  addEvents(taken: readonly CaptureEvent[], batch: number | null = null): readonly CaptureEvent[] {
    this.#batch = batch ?? this.#batch;
    const names = this.#connections.namesIn(taken);
    const read = this.#operations.read(taken);
    const connections = this.#connections.openedEarlier(taken);
    const events = names.length + connections.length === 0 ? read : [...connections, ...read, ...names];
    this.#session.apply(events);
    this.#write(events);
    this.#cleared?.session.apply(events);
    return events;
  }

  /** Records the program names of clients that the session has seen. */
  name(clients: readonly ClientNamed[]): void {
    const seen = this.#connections.name(clients);
    // While Clear can be undone, the cleared session may have clients that `seen` lacks.
    this.addEvents(this.#cleared === null ? seen : clients);
  }

  /** Says what runs from now on. The session may begin later. */
  mark(mark: ChangeMark, now: Instant): void {
    if (this.#session.changeMarks.at(-1)?.mark === mark) return;
    this.addEvents([{ type: "change-marked", at: now, mark }]);
  }

  annotate(annotations: readonly (readonly [ExchangeId, Annotation])[]): void {
    this.#store.annotate(annotations);
    for (const [id, annotation] of annotations) {
      this.#session.annotate(id, annotation);
      this.#cleared?.session.annotate(id, annotation);
    }
  }

  /**
   * Changes which exchanges are deleted, on the disk and in `session`: in its lists at once, in its figures in slices.
   * Resolves once the figures have followed. Throws a sentence if the change cannot be stored. A Clear can then no
   * longer be undone.
   */
  async changeDeletions(change: DeletionChange): Promise<void> {
    const id = this.#store.current?.id;
    if (id === undefined) throw new Error("Nothing has been captured yet.");
    this.#completeClear();
    const problem = this.#store.changeDeletions(id, storedChange(change));
    if (problem !== null) throw new Error(problem);
    this.#session = this.#deletedRows.change(change);
    const counted = this.#deletedRows.counted().then(() => {
      this.#learn();
      this.#entitle();
    });
    const deleting = counted
      .catch(() => {})
      .then(() => {
        if (this.#deleting === deleting) this.#deleting = null;
      });
    this.#deleting = deleting;
    return counted;
  }

  /**
   * Puts the session into the trash; returns its id, or `null` if nothing was captured. Throws a sentence if that
   * fails; recording into it then continues. `at`: when the session ends. `now`: the time of the reply; Clear can be
   * undone for `UNDO_TIME` after it, and until another session begins for `IDLE_UNDO_TIME`.
   */
  clear(at: Instant, now: Instant = at): string | null {
    this.#completeClear();
    const session = this.#session;
    const id = this.#store.current?.id ?? null;
    if (id === null || session.exchanges === 0) return null;
    this.#learn();
    this.#entitle();
    const problem = this.#store.clear(at, keptFiguresOf(session));
    if (problem !== null)
      throw new Error(`The session could not be put into the trash, so recording into it continues. ${problem}`);
    this.#cleared = { session, at: now };
    this.#session = this.#newSession();
    return id;
  }

  /** Continues the cleared session, while Clear can be undone. Returns whether there was something to undo. */
  undoClear(): boolean {
    if (this.#cleared === null) return false;
    this.#store.undoClear();
    this.#session = this.#cleared.session;
    this.#session.setRowCap(this.#rowCap);
    this.regroup();
    this.#cleared = null;
    return true;
  }

  /** As `Session.setRowCap`. */
  setRowCap(rowCap: number): void {
    this.#rowCap = rowCap;
    this.#session.setRowCap(rowCap);
  }

  regroup(): void {
    this.#deletedRows.countNow();
    this.#session.regroup(this.#grouping?.templates() ?? null);
    this.#learn();
  }

  /** Ends the session and deletes all of it, including its figures. */
  discard(now: Instant): void {
    this.#deletedRows.countNow();
    this.#completeClear();
    const ended = this.#store.endSession(now, keptFiguresOf(this.#session))?.id ?? null;
    if (ended !== null) this.#store.deleteSession(ended);
    this.#session = this.#newSession();
  }

  /**
   * Ends and keeps the session; returns its id, or `null` if nothing was captured. Throws a sentence if the session
   * cannot be kept; recording into it then continues. `name`: of the session that begins.
   */
  startNew(now: Instant, name = ""): string | null {
    this.#completeClear();
    const ended = this.#store.current?.id ?? null;
    this.#learn();
    this.#entitle();
    const figures = keptFiguresOf(this.#session);
    const problem = this.#store.saveSession(figures);
    if (problem !== null)
      throw new Error(`The current session could not be kept, so no new session was started. ${problem}`);
    this.#store.endSession(now, figures);
    this.#session = this.#newSession();
    this.#nextName = name;
    return ended;
  }

  /**
   * Writes the buffered events, and completes a Clear whose undo time is over. Call it within 500 ms after an event was
   * added.
   */
  tick(now: Instant): StoreStatus {
    const undoTime = this.id === null ? IDLE_UNDO_TIME : UNDO_TIME;
    if (this.#cleared !== null && now >= this.#cleared.at + undoTime) this.#completeClear();
    if (this.#deleting === null && now >= this.#learnAt && this.#session.mayLearn) this.#learn(now);
    if (now >= this.#titleAt) {
      this.#titleAt = now + Math.max(TITLE_EVERY, this.#session.exchanges * LEARN_FOR_EACH);
      this.#entitle();
    }
    return this.#store.flush();
  }

  /**
   * Stores that the session has ended, before figures that may take longer than the program has. Call `finish` next.
   */
  complete(now: Instant): void {
    this.#completeClear();
    // `finish` tries again, and reports a problem.
    this.#store.completeSession(now);
  }

  /** Stores the session when the program ends. */
  finish(now: Instant): Problem | null {
    this.#completeClear();
    this.#learn();
    this.#entitle();
    const figures = keptFiguresOf(this.#session);
    const problem = this.#store.saveSession(figures);
    this.#store.endSession(now, figures);
    return problem;
  }

  #newSession(): Session {
    this.#connections.forgetSeen();
    return new Session(this.#rowCap, this.#grouping?.templates() ?? null);
  }

  /** Groups paths that have turned out to be similar, and stores these groups for later sessions. */
  #learn(now: Instant | null = null): void {
    this.#deletedRows.countNow();
    const { templates, exchanges } = this.#session;
    if (now !== null) this.#learnAt = now + Math.max(LEARN_EVERY, exchanges * LEARN_FOR_EACH);
    if (this.#session.learn() && templates !== null) this.#grouping?.learned(templates);
  }

  /** Gives the session its title, if that has changed. A name that the user gave stays. */
  #entitle(): void {
    const { current } = this.#store;
    if (current === null) return;
    const title = sessionTitleOf(this.#session);
    if (title !== current.title) this.#store.entitle(title);
  }

  #completeClear(): void {
    this.#cleared = null;
    this.#store.carryOutClear();
  }

  #labelSlowed(): void {
    const { current } = this.#store;
    if (this.#slowed === null || current === null) return;
    const label = `Slowed on purpose: ${this.#slowed}.`;
    if (current.notes.includes(label)) return;
    const notes = [current.notes, label].filter((text) => text !== "").join(" ");
    this.#store.describeSession(current.id, { notes, baseline: false });
  }

  #write(events: readonly CaptureEvent[]): void {
    if (this.#store.current === null) {
      const first = events.find((event) => event.type === "request-started");
      if (first !== undefined) {
        const id = this.#store.startSession(first.at);
        if (this.#nextName !== "") this.#store.describeSession(id, { name: this.#nextName });
        this.#nextName = "";
        this.#labelSlowed();
        this.#store.append(this.#session.changeMarks.map((marked) => ({ type: "change-marked", ...marked })));
      }
    }
    this.#store.append(events, this.#batch);
  }
}
