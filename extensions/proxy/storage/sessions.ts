import { join } from "node:path";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Remark } from "../../../src/engine/model/remark.ts";
import type { Bytes, ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { CurrentSession } from "./current-session.ts";
import { dropExchanges, sizeOf, writeRemarks } from "./ended-session.ts";
import { clearImports, ImportedSession } from "./imported-session.ts";
import { openPrivateFolder, remove } from "./private-file.ts";
import { type Recovery, recoverSessions } from "./recovery.ts";
import {
  allFacts,
  isSessionId,
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

/** What was done to keep the folder within its limit. */
export interface Pruned {
  /** The sessions that lost their exchanges. */
  readonly dropped: readonly SessionFacts[];
  /** It is over the limit still: with what is open, and what is recorded of exchanges without their bodies. */
  readonly isOver: boolean;
}

/** What was captured, session by session, on disk. Only the owner of the data folder's lock has one. */
export class SessionStore {
  readonly #folder: string;
  #bodyCap: Bytes;
  #current: CurrentSession | null;
  /** Cleared, as long as that can be undone. */
  #cleared: CurrentSession | null = null;
  #revision = 0;
  #recovered: string | null;
  /** What was found at the start, in sentences. */
  readonly notices: readonly string[];

  private constructor(folder: string, bodyCap: Bytes, { current, recovered, notices }: Recovery) {
    this.#folder = folder;
    this.#bodyCap = bodyCap;
    this.#current = current;
    this.#recovered = recovered;
    this.notices = notices;
  }

  /**
   * Finds what a crash left behind. `bodyCap`: body bytes per session. `goesOn`: the session that was being recorded is so
   * again, for when only the engine's thread has ended. Never fails: what is unusable is set aside.
   */
  static open(dataFolder: string, bodyCap: Bytes, goesOn = false): SessionStore {
    const folder = sessionsFolder(dataFolder);
    const problem = openPrivateFolder(folder);
    clearImports(folder);
    const recovery = recoverSessions(folder, bodyCap, goesOn);
    const notices = problem === null ? [] : [`Sessions cannot be kept: ${problem}.`];
    return new SessionStore(folder, bodyCap, { ...recovery, notices: [...notices, ...recovery.notices] });
  }

  /** Grows when a session begins, ends, or is told anew. */
  get revision(): number {
    return this.#revision;
  }

  /** The latest session that a crash cut off and that was found at the start; `null` if none, or once it was dismissed. */
  get recovered(): string | null {
    return this.#recovered;
  }

  dismissRecovered(): void {
    this.#recovered = null;
  }

  /** The session being recorded; `null` between sessions. */
  get current(): SessionFacts | null {
    return this.#current?.facts ?? null;
  }

  /** The writer of the current session, to read from what has just been captured. */
  get writer(): SessionWriter | null {
    return this.#current?.writer ?? null;
  }

  set bodyCap(cap: Bytes) {
    this.#bodyCap = cap;
    for (const { writer } of this.#recorded()) writer.bodyCap = cap;
  }

  /** Begins a session; the one before must have ended. Nothing is written before something was captured. */
  startSession(startedAt: Instant): string {
    if (this.#current !== null) throw new Error("a session is being recorded");
    this.#current = CurrentSession.begin(this.#folder, startedAt, this.#bodyCap);
    this.#revision += 1;
    return this.#current.id;
  }

  /** The latest batch of which everything is on disk; `null` between sessions. */
  get written(): number | null {
    const written = this.#recorded().map(({ writer }) => writer.written);
    return written.length === 0 ? null : Math.min(...written);
  }

  /** Takes what was captured; without a session it is nobody's. */
  append(events: readonly CaptureEvent[], batch: number | null = null): void {
    for (const { writer } of this.#recorded()) writer.append(events, batch);
  }

  /** Writes what waits; call it at least every 500 ms. What was cleared has lost what the session since has, and more. */
  flush(): StoreStatus {
    const [status, cleared] = this.#recorded().map((one) => one.flush());
    if (status === undefined) return { problem: null, lost: NOTHING_LOST };
    return { ...status, problem: status.problem ?? cleared?.problem ?? null };
  }

  /**
   * Ends the session with those figures, and its exchanges are to be deleted: so it is told to any other process, and after a
   * crash. Until `carryOutClear` it is written on, and `undoClear` takes it back.
   */
  clear(endedAt: Instant, figures: unknown): void {
    this.carryOutClear();
    this.#current?.clear(endedAt, figures);
    this.#cleared = this.#current;
    this.#current = null;
    this.#revision += 1;
  }

  /** The cleared session is recorded further; of the one that began since there is no trace. */
  undoClear(): void {
    if (this.#cleared === null) return;
    // In this order, so that a kill in between leaves both rather than neither.
    this.#cleared.restore();
    this.#current?.discard();
    this.#current = this.#cleared;
    this.#cleared = null;
    this.#revision += 1;
  }

  /** The id of the session that was cleared and is now only figures; `null` if there was none. */
  carryOutClear(): string | null {
    const cleared = this.#cleared;
    if (cleared === null) return null;
    cleared.drop();
    this.#cleared = null;
    this.#revision += 1;
    return cleared.id;
  }

  /** Whether all of the session can be written, and so ended with those figures: `null`, else a sentence why it cannot. */
  saveSession(figures: unknown): string | null {
    return this.#current?.save(figures) ?? null;
  }

  /** Ends the session with the engine's figures of it, any JSON data. One without an exchange leaves no trace. */
  endSession(endedAt: Instant, figures: unknown): SessionFacts | null {
    if (this.#current === null) return null;
    const facts = this.#current.end(endedAt, figures);
    this.#current = null;
    this.#revision += 1;
    return facts;
  }

  /** Oldest first, the current one included once something of it was captured; not one whose clearing can be undone. */
  list(): readonly SessionFacts[] {
    const current = this.current;
    const others = allFacts(this.#folder).filter(({ id }) => !this.#isRecorded(id));
    return current === null || current.exchanges === 0 ? others : [...others, current];
  }

  figuresOf(id: string): unknown {
    return readFigures(this.#folder, id);
  }

  /** Of a session that was cut off: they are made when it is read. `null` is success, else a sentence. */
  keepFigures(id: string, figures: unknown): string | null {
    this.#revision += 1;
    return this.#ended(id) === null ? notEnded(id) : writeFigures(this.#folder, id, figures);
  }

  /** Bytes of a session on disk. */
  sizeOf(id: string): Bytes {
    return isSessionId(id) ? sizeOf(this.#folder, id) : 0;
  }

  /** Changes what a user says of a session. `null` is success, else a sentence. */
  describeSession(id: string, said: Partial<SessionWords>): string | null {
    this.#revision += 1;
    if (this.#current?.id === id) return this.#current.describe(said);
    const facts = readFacts(this.#folder, id);
    return facts === null ? `There is no session "${id}".` : writeFacts(this.#folder, { ...facts, ...said });
  }

  /** Writes what a person says of exchanges of the current session, with the next flush. */
  remark(remarks: Iterable<readonly [ExchangeId, Remark]>): void {
    for (const [id, remark] of remarks) for (const { writer } of this.#recorded()) writer.remark(id, remark);
  }

  /** Writes at once what a person says of exchanges of a session that has ended. `null` is success, else a sentence. */
  remarkEnded(id: string, remarks: Iterable<readonly [ExchangeId, Remark]>): string | null {
    if (this.#ended(id)?.kept !== true) return "The exchanges of this session are no longer kept.";
    return writeRemarks(this.#folder, id, remarks);
  }

  /** A reader of a session that has ended; a sentence's worth of why not, if it cannot be read. */
  openEnded(id: string): SessionReader | string {
    const facts = this.#ended(id);
    if (facts === null) return "it is not there any more";
    return facts.kept ? SessionReader.open(join(this.#folder, id)) : "its exchanges are no longer kept";
  }

  /** A session that is written apart from the one being recorded; it is in the list once it is whole. */
  importSession(now: Instant): ImportedSession {
    return new ImportedSession(this.#folder, newSessionId(now), this.#bodyCap, () => {
      this.#revision += 1;
    });
  }

  /** Deletes exchanges and bodies of a session that has ended; its figures stay. `null` is success, else a sentence. */
  dropExchanges(id: string): string | null {
    const facts = this.#ended(id);
    if (facts === null) return notEnded(id);
    this.#revision += 1;
    return dropExchanges(this.#folder, facts);
  }

  /** Deletes a session that has ended with everything of it. `null` is success, else a sentence. */
  deleteSession(id: string): string | null {
    if (this.#ended(id) === null) return notEnded(id);
    this.#revision += 1;
    if (this.#recovered === id) this.#recovered = null;
    return remove(join(this.#folder, id));
  }

  /**
   * Keeps the folder within `most` bytes: exchanges and bodies of the oldest sessions go first, then sessions of which only
   * figures are left, beyond the latest `history`, and last the oldest bodies of what is being recorded. A session that `isOpen`
   * is spared.
   */
  prune(most: Bytes, history: number, isOpen: (id: string) => boolean = () => false): Pruned {
    const ended = this.list().filter(({ state, id }) => state !== "current" && !isOpen(id));
    let total = sessionIds(this.#folder).reduce((sum, id) => sum + this.sizeOf(id), 0);
    const dropped: SessionFacts[] = [];
    for (const facts of ended) {
      if (total <= most) break;
      if (!facts.kept) continue;
      total -= this.sizeOf(facts.id);
      this.dropExchanges(facts.id);
      dropped.push(facts);
    }
    for (const { id, kept } of ended.slice(0, -history)) {
      if (!kept || dropped.some((one) => one.id === id)) this.deleteSession(id);
    }
    return { dropped, isOver: this.#giveWay(total - most) };
  }

  /** Leaves so many bytes less, or room for as many more where it is negative, to recorded bodies. Whether that is not enough. */
  #giveWay(over: Bytes): boolean {
    let left = over;
    for (const { writer } of this.#recorded()) {
      writer.bodyCap = Math.max(0, Math.min(this.#bodyCap, writer.bodies - over));
      left -= writer.bodies;
    }
    return left > 0;
  }

  /** The sessions that take what is captured. */
  #recorded(): readonly CurrentSession[] {
    return [this.#current, this.#cleared].filter((one) => one !== null);
  }

  #isRecorded(id: string): boolean {
    return this.#recorded().some((one) => one.id === id);
  }

  #ended(id: string): SessionFacts | null {
    return this.#isRecorded(id) ? null : readFacts(this.#folder, id);
  }
}

function notEnded(id: string): string {
  return `There is no session "${id}" that has ended.`;
}
