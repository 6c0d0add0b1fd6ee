import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Remark } from "../../../src/engine/model/remark.ts";
import type { Bytes, ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { brokenOff } from "./broken-off.ts";
import { clearImports, ImportedSession } from "./imported-session.ts";
import { openPrivateFolder, remove, setAside, wordsOf } from "./private-file.ts";
import { recoveredFacts } from "./recovery.ts";
import { openForWriting } from "./session-database.ts";
import {
  isSessionId,
  newSessionId,
  outlives,
  readFacts,
  readFigures,
  type SessionFacts,
  sessionIds,
  startOf,
  writeFacts,
  writeFigures,
} from "./session-facts.ts";
import { SessionReader } from "./session-reader.ts";
import { SessionRows } from "./session-rows.ts";
import { SessionWriter, type StoreStatus } from "./session-writer.ts";

/** Where a data folder's sessions lie. */
function sessionsFolder(dataFolder: string): string {
  return join(dataFolder, "sessions");
}

/** All sessions of a data folder, oldest first, also while another process records. */
export function listSessions(dataFolder: string): readonly SessionFacts[] {
  const sessions = sessionsFolder(dataFolder);
  return sessionIds(sessions).flatMap((id) => readFacts(sessions, id) ?? []);
}

/** Opens a stored session, also the one that another process records; a sentence's worth of why not, if it cannot be. */
export function openSession(dataFolder: string, id: string): SessionReader | string {
  return isSessionId(id) ? SessionReader.open(join(sessionsFolder(dataFolder), id)) : `there is no session "${id}"`;
}

/** The engine's figures of a stored session, undecoded; `null` where there are none. */
export function readSessionFigures(dataFolder: string, id: string): unknown {
  return isSessionId(id) ? readFigures(sessionsFolder(dataFolder), id) : null;
}

interface Current {
  readonly writer: SessionWriter;
  facts: SessionFacts;
  /** Whether the facts lie on disk; they do once there is something to tell. */
  announced: boolean;
}

/** What was captured, session by session, on disk. Only the owner of the data folder's lock has one. */
export class SessionStore {
  readonly #folder: string;
  #bodyCap: Bytes;
  #current: Current | null = null;
  #revision = 0;
  #recovered: string | null;
  /** What was found at the start, in sentences. */
  readonly notices: readonly string[];

  private constructor(folder: string, bodyCap: Bytes, recovered: string | null, notices: readonly string[]) {
    this.#folder = folder;
    this.#bodyCap = bodyCap;
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
    const notices = problem === null ? [] : [`Sessions cannot be kept: ${problem}.`];
    let current: Current | null = null;
    let recovered: string | null = null;
    clearImports(folder);
    for (const id of sessionIds(folder)) {
      const known = readFacts(folder, id);
      if (known !== null && known.state !== "current") continue;
      current = goesOn ? resumed(folder, id, known, bodyCap) : null;
      if (current !== null) continue;
      const facts = recoveredFacts(folder, id, known);
      if (typeof facts === "string") {
        const aside = setAside(join(folder, id));
        notices.push(`A session could not be read: ${facts}. It is kept as ${aside ?? join(folder, id)}.`);
      } else if (facts.exchanges === 0) {
        remove(join(folder, id));
      } else {
        writeFacts(folder, facts);
        recovered = id;
      }
    }
    const store = new SessionStore(folder, bodyCap, recovered, notices);
    store.#current = current;
    return store;
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
    return this.#current === null ? null : factsNow(this.#current);
  }

  /** The writer of the current session, to read from what has just been captured. */
  get writer(): SessionWriter | null {
    return this.#current?.writer ?? null;
  }

  set bodyCap(cap: Bytes) {
    this.#bodyCap = cap;
    if (this.#current !== null) this.#current.writer.bodyCap = cap;
  }

  /** Begins a session; the one before must have ended. Nothing is written before something was captured. */
  startSession(startedAt: Instant): string {
    if (this.#current !== null) throw new Error("a session is being recorded");
    const id = newSessionId(startedAt);
    const facts = newFacts(id, startedAt);
    const writer = new SessionWriter(join(this.#folder, id), this.#bodyCap);
    this.#current = { writer, facts, announced: false };
    this.#revision += 1;
    return id;
  }

  /** Takes what was captured; without a session it is nobody's. */
  append(events: readonly CaptureEvent[], batch: number | null = null): void {
    this.#current?.writer.append(events, batch);
  }

  /** Writes what waits; call it at least every 500 ms. */
  flush(): StoreStatus {
    const current = this.#current;
    if (current === null) return { problem: null, lost: 0 };
    const status = current.writer.flush();
    if (!current.announced && status.problem === null && current.writer.exchanges > 0) {
      const problem = writeFacts(this.#folder, factsNow(current));
      current.announced = problem === null;
      return { ...status, problem };
    }
    return status;
  }

  /** Ends the session with the engine's figures of it, any JSON data. One without an exchange leaves no trace. */
  endSession(endedAt: Instant, figures: unknown): SessionFacts | null {
    const current = this.#current;
    if (current === null) return null;
    this.flush();
    current.writer.close();
    this.#current = null;
    this.#revision += 1;
    const facts = Object.freeze({ ...factsNow(current), endedAt, state: "completed" as const });
    if (facts.exchanges === 0) {
      remove(join(this.#folder, facts.id));
      return null;
    }
    writeFigures(this.#folder, facts.id, figures);
    writeFacts(this.#folder, facts);
    return facts;
  }

  /** Oldest first, the current one included once something of it was captured. */
  list(): readonly SessionFacts[] {
    const current = this.current;
    const others = sessionIds(this.#folder).flatMap((id) =>
      id === current?.id ? [] : (readFacts(this.#folder, id) ?? []),
    );
    return current === null || current.exchanges === 0 ? others : [...others, current];
  }

  figuresOf(id: string): unknown {
    return isSessionId(id) ? readFigures(this.#folder, id) : null;
  }

  /** Of a session that was cut off: they are made when it is read. `null` is success, else a sentence. */
  keepFigures(id: string, figures: unknown): string | null {
    this.#revision += 1;
    return this.#ended(id) === null
      ? `There is no session "${id}" that has ended.`
      : writeFigures(this.#folder, id, figures);
  }

  /** Bytes of a session on disk. */
  sizeOf(id: string): Bytes {
    return isSessionId(id) ? sizeOf(join(this.#folder, id)) : 0;
  }

  /** Changes what a user says of a session. `null` is success, else a sentence. */
  describeSession(id: string, said: Partial<Pick<SessionFacts, "name" | "notes" | "baseline">>): string | null {
    this.#revision += 1;
    if (this.#current?.facts.id === id) {
      this.#current.facts = Object.freeze({ ...this.#current.facts, ...said });
      return this.#current.announced ? writeFacts(this.#folder, factsNow(this.#current)) : null;
    }
    const facts = isSessionId(id) ? readFacts(this.#folder, id) : null;
    return facts === null ? `There is no session "${id}".` : writeFacts(this.#folder, { ...facts, ...said });
  }

  /** Writes what a person says of exchanges of the current session, with the next flush. */
  remark(remarks: Iterable<readonly [ExchangeId, Remark]>): void {
    for (const [id, remark] of remarks) this.#current?.writer.remark(id, remark);
  }

  /** Writes at once what a person says of exchanges of a session that has ended. `null` is success, else a sentence. */
  remarkEnded(id: string, remarks: Iterable<readonly [ExchangeId, Remark]>): string | null {
    if (this.#ended(id)?.kept !== true) return "The exchanges of this session are no longer kept.";
    return writtenRemarks(join(this.#folder, id), remarks);
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
    if (facts === null) return `There is no session "${id}" that has ended.`;
    this.#revision += 1;
    const unsaved = writeFacts(this.#folder, { ...facts, kept: false });
    const folder = join(this.#folder, id);
    // Deleting goes on where writing fails: on a full disk it is what helps.
    return namesIn(folder).reduce(
      (problem, name) => (outlives(name) ? problem : (remove(join(folder, name)) ?? problem)),
      unsaved,
    );
  }

  /** Deletes a session that has ended with everything of it. `null` is success, else a sentence. */
  deleteSession(id: string): string | null {
    if (this.#ended(id) === null) return `There is no session "${id}" that has ended.`;
    this.#revision += 1;
    if (this.#recovered === id) this.#recovered = null;
    return remove(join(this.#folder, id));
  }

  /**
   * Keeps the folder within `most` bytes: exchanges and bodies of the oldest sessions go first, then sessions of which only
   * figures are left, beyond the latest `history`. The sessions that lost their exchanges, to be told to the user. A session
   * that `isOpen` is spared.
   */
  prune(most: Bytes, history: number, isOpen: (id: string) => boolean = () => false): readonly SessionFacts[] {
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
    return dropped;
  }

  #ended(id: string): SessionFacts | null {
    return isSessionId(id) && id !== this.#current?.facts.id ? readFacts(this.#folder, id) : null;
  }
}

function newFacts(id: string, startedAt: Instant): SessionFacts {
  return Object.freeze({
    id,
    startedAt,
    endedAt: null,
    state: "current",
    name: "",
    notes: "",
    exchanges: 0,
    kept: true,
    imported: false,
    baseline: true,
  });
}

/** The session to be recorded further; `null`: it cannot be. */
function resumed(sessions: string, id: string, known: SessionFacts | null, bodyCap: Bytes): Current | null {
  const folder = join(sessions, id);
  const broken = brokenOff(folder);
  if (typeof broken === "string" || broken.exchanges === 0) return null;
  const facts = known ?? newFacts(id, startOf(id));
  try {
    return { writer: new SessionWriter(folder, bodyCap, broken), facts, announced: known !== null };
  } catch {
    return null;
  }
}

function writtenRemarks(folder: string, remarks: Iterable<readonly [ExchangeId, Remark]>): string | null {
  try {
    const database = openForWriting(folder);
    try {
      const rows = new SessionRows(database);
      database.exec("BEGIN");
      for (const [exchange, remark] of remarks) rows.putRemark(exchange, remark);
      database.exec("COMMIT");
      return null;
    } finally {
      database.close(); // which undoes what was not committed
    }
  } catch (error) {
    return `This could not be written: ${wordsOf(error)}.`;
  }
}

function factsNow({ facts, writer }: Current): SessionFacts {
  return Object.freeze({ ...facts, exchanges: writer.exchanges });
}

function sizeOf(folder: string): Bytes {
  return namesIn(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
