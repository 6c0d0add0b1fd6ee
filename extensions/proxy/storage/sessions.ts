import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Annotation } from "../../../src/engine/model/annotation.ts";
import { failure, type Problem, type Result } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { DELETIONS_FILE, purgeDeleted, readDeletions, writeDeletions } from "./deleted-exchanges.ts";
import type { ImportTarget } from "./imported-session.ts";
import { openPrivateFolder } from "./private-file.ts";
import {
  deleteSession,
  dropExchanges,
  RecordedSession,
  sizeOf,
  surplusOf,
  writeAnnotations,
} from "./recorded-session.ts";
import { clearInterrupted, type Recovery, recoverSessions, setOtherFormatAside } from "./recovery.ts";
import {
  allFacts,
  hasFolder,
  newSessionId,
  readFacts,
  readFigures,
  type SessionFacts,
  type SessionWords,
  sessionIds,
  writeFacts,
  writeFigures,
} from "./session-facts.ts";
import { SessionReader } from "./session-reader.ts";
import type { SessionWriter } from "./session-writer.ts";
import { NOTHING_LOST, type StoreStatus } from "./store-status.ts";
import { sessionsFolder } from "./stored-sessions.ts";

export interface Pruned {
  /** The sessions that lost their exchanges. */
  readonly dropped: readonly SessionFacts[];
  /** Whether the folder is still over its limit. Opened sessions are never deleted. */
  readonly isOver: boolean;
}

/** The sessions on disk. Only the owner of the data folder's lock may create a store. */
export class SessionStore {
  readonly #folder: string;
  #sessionCap: Bytes;
  #current: RecordedSession | null;
  #cleared: RecordedSession | null = null;
  #revision = 0;
  #recovered: string | null;
  /** Problems found at the start, in sentences. */
  readonly notices: readonly string[];

  private constructor(folder: string, sessionCap: Bytes, { current, recovered, notices }: Recovery) {
    this.#folder = folder;
    this.#sessionCap = sessionCap;
    this.#current = current;
    this.#recovered = recovered;
    this.notices = notices;
  }

  /**
   * Opens the store and recovers interrupted sessions. Never fails, because unusable sessions are set aside.
   * `sessionCap`: the most bytes per session; `goesOn`: continue the current session, because only the engine thread
   * has ended.
   */
  static open(dataFolder: string, sessionCap: Bytes, goesOn = false): SessionStore {
    const folder = sessionsFolder(dataFolder);
    const aside = setOtherFormatAside(folder);
    const problem = openPrivateFolder(folder);
    clearInterrupted(folder);
    const recovery = recoverSessions(folder, sessionCap, goesOn);
    const unkept = problem === null ? null : `Sessions cannot be kept: ${problem}.`;
    const notices = [aside, unkept, ...recovery.notices].filter((notice) => notice !== null);
    return new SessionStore(folder, sessionCap, { ...recovery, notices });
  }

  /** Increases when a session begins, ends or has other facts. */
  get revision(): number {
    return this.#revision;
  }

  /** The latest session that was recovered at the start; `null` if there was none or the user dismissed the notice. */
  get recovered(): string | null {
    return this.#recovered;
  }

  dismissRecovered(): void {
    this.#recovered = null;
  }

  /** The current session; `null` between sessions. */
  get current(): SessionFacts | null {
    return this.#current?.facts ?? null;
  }

  /** The writer of the current session; its `reader` also sees the latest events. */
  get writer(): SessionWriter | null {
    return this.#current?.writer ?? null;
  }

  set sessionCap(cap: Bytes) {
    this.#sessionCap = cap;
    for (const { writer } of this.#recorded()) writer.cap = cap;
  }

  /** Begins a session; the previous one must have ended. Nothing is written until something is captured. */
  startSession(startedAt: Instant): string {
    if (this.#current !== null) throw new Error("a session is being recorded");
    this.#current = RecordedSession.create(this.#folder, startedAt, this.#sessionCap);
    this.#revision += 1;
    return this.#current.id;
  }

  /** The latest batch that is completely on disk; `null` between sessions. */
  get written(): number | null {
    const written = this.#recorded().map(({ writer }) => writer.written);
    return written.length === 0 ? null : Math.min(...written);
  }

  /** Appends captured events to the recorded sessions. Drops the events if no session is recorded. */
  append(events: readonly CaptureEvent[], batch: number | null = null): void {
    for (const { writer } of this.#recorded()) writer.append(events, batch);
  }

  /**
   * Writes the buffered events; call it within 500 ms after `append`. Returns what the current session lost, and why
   * writing fails, if it does.
   */
  flush(): StoreStatus {
    const [status, cleared] = this.#recorded().map((one) => one.flush());
    if (status === undefined) return { problem: null, lost: NOTHING_LOST };
    return { ...status, problem: status.problem ?? cleared?.problem ?? null };
  }

  /** The cleared session, while `undoClear` can continue it. */
  get cleared(): string | null {
    return this.#cleared?.id ?? null;
  }

  /**
   * Ends the session with these figures and puts it into the trash. Recording into it continues until `carryOutClear`,
   * so that `undoClear` can continue it. If it cannot be put there, returns a sentence, and the session goes on.
   */
  clear(endedAt: Instant, figures: unknown): Problem | null {
    this.carryOutClear();
    const problem = this.#current?.clear(endedAt, figures) ?? null;
    if (problem !== null) return problem;
    this.#cleared = this.#current;
    this.#current = null;
    this.#revision += 1;
    return null;
  }

  /** Continues the cleared session and deletes the one that began since. */
  undoClear(): void {
    if (this.#cleared === null) return;
    // In this order, a kill in between leaves both sessions. In the other order, it would leave none.
    this.#cleared.restore();
    this.#current?.discard();
    this.#current = this.#cleared;
    this.#cleared = null;
    this.#revision += 1;
  }

  carryOutClear(): void {
    if (this.#cleared === null) return;
    this.#cleared.settle();
    this.#cleared = null;
    this.#revision += 1;
  }

  /** Writes buffered events and these figures of the session that is about to end. */
  saveSession(figures: unknown): Problem | null {
    return this.#current?.save(figures) ?? null;
  }

  /** As `RecordedSession.complete`; call `endSession` afterwards. */
  completeSession(endedAt: Instant): Problem | null {
    return this.#current?.complete(endedAt) ?? null;
  }

  /** Ends the session with the engine's figures, any JSON data. A session without exchanges is deleted. */
  endSession(endedAt: Instant, figures: unknown): SessionFacts | null {
    if (this.#current === null) return null;
    const facts = this.#current.finish(endedAt, figures);
    this.#current = null;
    this.#revision += 1;
    return facts;
  }

  /** The sessions that are not in the trash, oldest first. The current session is listed once it has an exchange. */
  list(): readonly SessionFacts[] {
    const current = this.current;
    const others = allFacts(this.#folder).filter(({ id, trashedAt }) => trashedAt === null && !this.#isRecorded(id));
    return current === null || current.exchanges === 0 ? others : [...others, current];
  }

  /** The sessions in the trash, also one of which Clear can be undone; the latest first. */
  trash(): readonly TrashedFacts[] {
    const trashed = allFacts(this.#folder).filter(isTrashed);
    return trashed.sort((one, other) => other.trashedAt - one.trashedAt);
  }

  /** Puts an ended session into the trash, where it counts in no statistic. */
  trashSession(id: string, now: Instant): Problem | null {
    const facts = this.#ended(id);
    if (facts === null) return notEnded(id);
    this.#revision += 1;
    if (this.#recovered === id) this.#recovered = null;
    return writeFacts(this.#folder, { ...facts, trashedAt: now });
  }

  restoreSession(id: string): Problem | null {
    if (this.cleared === id) this.carryOutClear();
    const facts = this.#stored(id);
    if (facts?.trashedAt == null) return "The session is no longer in the trash, so it cannot be restored.";
    this.#revision += 1;
    return writeFacts(this.#folder, { ...facts, trashedAt: null });
  }

  /** Deletes the sessions for which the trash has no room, or that were there for too long (`surplusOf`). */
  emptyOldTrash(now: Instant): void {
    const settled = this.trash().filter(({ id }) => id !== this.cleared);
    const sized = settled.map((facts) => ({ ...facts, size: this.sizeOf(facts.id) }));
    for (const id of surplusOf(sized, now)) this.deleteSession(id);
  }

  figuresOf(id: string): unknown {
    return readFigures(this.#folder, id);
  }

  /** Stores the figures of an interrupted session, computed when the session was read. */
  keepFigures(id: string, figures: unknown): Problem | null {
    this.#revision += 1;
    return this.#ended(id) === null ? notEnded(id) : writeFigures(this.#folder, id, figures);
  }

  /** Stores the figures of an ended session from which exchanges were deleted, and how many it has left. */
  keepRest(id: string, exchanges: number, figures: unknown): Problem | null {
    const facts = this.#ended(id);
    if (facts === null) return notEnded(id);
    return this.keepFigures(id, figures) ?? writeFacts(this.#folder, { ...facts, exchanges });
  }

  sizeOf(id: string): Bytes {
    return hasFolder(this.#folder, id) ? sizeOf(this.#folder, id) : 0;
  }

  describeSession(id: string, changes: Partial<SessionWords>): Problem | null {
    this.#revision += 1;
    if (this.#current?.id === id) return this.#current.describe(changes);
    const facts = this.#ended(id);
    return facts === null ? `There is no session "${id}".` : writeFacts(this.#folder, { ...facts, ...changes });
  }

  /** Gives the current session its title. That is no change of `revision`: nothing but its name depends on it. */
  entitle(title: string): void {
    this.#current?.describe({ title });
  }

  /** Stores annotations of the current session, with the next flush. */
  annotate(annotations: Iterable<readonly [ExchangeId, Annotation]>): void {
    for (const [id, annotation] of annotations)
      for (const { writer } of this.#recorded()) writer.annotate(id, annotation);
  }

  /** Writes annotations of an ended session at once. */
  annotateEnded(id: string, annotations: Iterable<readonly [ExchangeId, Annotation]>): Problem | null {
    if (this.#ended(id)?.kept !== true) return "The exchanges of this session are no longer kept.";
    return writeAnnotations(this.#folder, id, annotations);
  }

  /**
   * Changes which exchanges of a session are deleted: readers leave them out, and `purgeDeleted` removes them.
   * `change` gets the present ones; they must have ended. If that cannot be stored, returns a sentence.
   */
  changeDeletions(id: string, change: (deleted: Set<ExchangeId>) => void): Problem | null {
    this.#revision += 1;
    const recorded = this.#recorded().find((one) => one.id === id);
    if (recorded !== undefined) return recorded.writer.changeDeletions(change);
    if (this.#ended(id)?.kept !== true) return "The exchanges of this session are no longer kept.";
    const folder = join(this.#folder, id);
    const deleted = new Set(readDeletions(folder));
    change(deleted);
    const problem = writeDeletions(folder, deleted);
    return problem === null ? null : `${problem}.`;
  }

  /** The exchanges that were deleted from the current session and are not purged. */
  get deleted(): ReadonlySet<ExchangeId> {
    return this.#current === null ? new Set() : readDeletions(join(this.#folder, this.#current.id));
  }

  /** Ids of the sessions with deleted exchanges that are not purged. */
  unpurged(): readonly string[] {
    return sessionIds(this.#folder).filter((id) => existsSync(join(this.#folder, id, DELETIONS_FILE)));
  }

  /** As `purgeDeleted` of deleted-exchanges.ts. */
  async purgeDeleted(
    id: string,
    undoable: ReadonlySet<ExchangeId>,
    pause: () => Promise<void>,
  ): Promise<Problem | null> {
    const problem = await purgeDeleted(join(this.#folder, id), undoable, pause);
    this.#recorded()
      .find((one) => one.id === id)
      ?.writer.recount();
    this.#revision += 1;
    return problem;
  }

  /** A reader of an ended session. A problem is a phrase. */
  openEnded(id: string): Result<SessionReader> {
    const facts = this.#ended(id);
    if (facts === null) return failure("it no longer exists");
    return facts.kept ? SessionReader.open(join(this.#folder, id)) : failure("its exchanges are no longer kept");
  }

  /** Where a session is written apart from the current one. It is listed once it is complete. */
  importTarget(now: Instant): ImportTarget {
    return { sessions: this.#folder, id: newSessionId(now), cap: this.#sessionCap };
  }

  /** To be called once an imported session is complete. */
  importFinished(): void {
    this.#revision += 1;
  }

  /** Deletes exchanges and bodies of an ended session and keeps its figures. */
  dropExchanges(id: string): Problem | null {
    const facts = this.#ended(id);
    if (facts === null) return notEnded(id);
    this.#revision += 1;
    return dropExchanges(this.#folder, facts);
  }

  /** Deletes an ended session and its figures, also from the trash. */
  deleteSession(id: string): Problem | null {
    if (this.cleared === id) this.carryOutClear();
    if (this.#stored(id) === null) return notEnded(id);
    this.#revision += 1;
    if (this.#recovered === id) this.#recovered = null;
    return deleteSession(this.#folder, id);
  }

  /**
   * Keeps the folder within `most` bytes: deletes the sessions in the trash first, the oldest before the others, then
   * the exchanges and bodies of the oldest sessions, then the oldest data of the recorded ones. Also deletes sessions
   * that have only figures, except the latest `history` sessions. Never touches sessions for which `isOpen` is true.
   * What stays of a session, such as its figures, counts.
   */
  prune(most: Bytes, history: number, isOpen: (id: string) => boolean = () => false): Pruned {
    const ended = this.list().filter(({ state, id }) => state !== "current" && !isOpen(id));
    let total = sessionIds(this.#folder).reduce((sum, id) => sum + this.sizeOf(id), 0);
    for (const { id } of this.trash().toReversed()) {
      if (total <= most) break;
      if (id === this.cleared) continue;
      total -= this.#freed(id, () => this.deleteSession(id));
    }
    const dropped: SessionFacts[] = [];
    for (const facts of ended) {
      if (total <= most) break;
      if (!facts.kept) continue;
      total -= this.#freed(facts.id, () => this.dropExchanges(facts.id));
      dropped.push(facts);
    }
    for (const { id, kept } of ended.slice(0, -history)) {
      if (!kept || dropped.some((one) => one.id === id)) total -= this.#freed(id, () => this.deleteSession(id));
    }
    return { dropped, isOver: this.#capRecorded(total - most) };
  }

  /** By how many bytes `work` made the session's files smaller. */
  #freed(id: string, work: () => void): Bytes {
    const before = this.sizeOf(id);
    work();
    return before - this.sizeOf(id);
  }

  /**
   * Caps each recorded session at its present size minus `over`, the bytes over the folder's limit. Below that limit
   * only a session's own cap holds, so that a recording does not lose its own data while older sessions have room.
   * Returns true if the folder would be over its limit even without these sessions.
   */
  #capRecorded(over: Bytes): boolean {
    let left = over;
    for (const { writer } of this.#recorded()) {
      const { stored } = writer;
      writer.cap = over <= 0 ? this.#sessionCap : Math.max(0, Math.min(this.#sessionCap, stored - over));
      left -= stored;
    }
    return left > 0;
  }

  /** The sessions into which captured events are written: the current one and a cleared one. */
  #recorded(): readonly RecordedSession[] {
    return [this.#current, this.#cleared].filter((one) => one !== null);
  }

  #isRecorded(id: string): boolean {
    return this.#recorded().some((one) => one.id === id);
  }

  #ended(id: string): SessionFacts | null {
    const facts = this.#stored(id);
    return facts?.trashedAt === null ? facts : null;
  }

  /** An ended session, also in the trash. */
  #stored(id: string): SessionFacts | null {
    return this.#isRecorded(id) ? null : readFacts(this.#folder, id);
  }
}

export type TrashedFacts = SessionFacts & { readonly trashedAt: Instant };

function isTrashed(facts: SessionFacts): facts is TrashedFacts {
  return facts.trashedAt !== null;
}

function notEnded(id: string): string {
  return `There is no session "${id}" that has ended.`;
}
