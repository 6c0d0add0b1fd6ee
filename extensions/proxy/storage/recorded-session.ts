import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Annotation } from "../../../src/engine/model/annotation.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { errorText, namesIn, remove } from "./private-file.ts";
import { openForWriting } from "./session-database.ts";
import {
  hasFacts,
  newFacts,
  newSessionId,
  outlives,
  removeFigures,
  type SessionFacts,
  type SessionWords,
  startOf,
  writeFacts,
  writeFigures,
} from "./session-facts.ts";
import { putAnnotations, SessionWriter } from "./session-writer.ts";
import type { StoreStatus } from "./store-status.ts";

/** The current session on disk. Its facts are written once it has an exchange. */
export class RecordedSession {
  readonly writer: SessionWriter;
  readonly #sessions: string;
  #facts: SessionFacts;
  #isListed: boolean;
  /** The latest batch before the session was cleared. */
  #lastOwn = 0;

  private constructor(writer: SessionWriter, sessions: string, facts: SessionFacts, announced: boolean) {
    this.writer = writer;
    this.#sessions = sessions;
    this.#facts = facts;
    this.#isListed = announced;
  }

  /** A new session. Nothing is written until something is captured. */
  static create(sessions: string, startedAt: Instant, sessionCap: Bytes): RecordedSession {
    const id = newSessionId(startedAt);
    const writer = new SessionWriter(join(sessions, id), sessionCap);
    return new RecordedSession(writer, sessions, newFacts(id, startedAt), false);
  }

  /** Continues an interrupted session; `null` if that is impossible. `known`: the session's facts on disk. */
  static resume(sessions: string, id: string, known: SessionFacts | null, sessionCap: Bytes): RecordedSession | null {
    try {
      const writer = SessionWriter.resume(join(sessions, id), sessionCap);
      if (writer.exchanges > 0)
        return new RecordedSession(writer, sessions, known ?? newFacts(id, startOf(id)), known !== null);
      writer.close();
    } catch {
      // The session is then recovered or set aside.
    }
    return null;
  }

  get id(): string {
    return this.#facts.id;
  }

  get facts(): SessionFacts {
    return Object.freeze({ ...this.#facts, exchanges: this.writer.exchanges });
  }

  flush(): StoreStatus {
    const status = this.writer.flush();
    // If the user has deleted the folder, the flush has created it again without the facts.
    const isTold = this.#isListed && hasFacts(this.#sessions, this.id);
    if (isTold || status.problem !== null || this.writer.exchanges === 0) return status;
    const problem = writeFacts(this.#sessions, this.facts);
    this.#isListed = problem === null;
    return { ...status, problem: problem === null ? null : `${problem}.` };
  }

  describe(changes: Partial<SessionWords>): Problem | null {
    this.#facts = Object.freeze({ ...this.#facts, ...changes });
    return this.#isListed ? writeFacts(this.#sessions, this.facts) : null;
  }

  /**
   * Ends the session on disk with these figures, and puts it into the trash. Recording into it continues, so that
   * `restore` can undo this; `settle` removes the events that came after it.
   */
  clear(endedAt: Instant, figures: unknown): Problem | null {
    const unsaved = this.save(figures);
    if (unsaved !== null) return unsaved;
    this.#lastOwn = this.writer.latestBatch;
    const facts = Object.freeze({ ...this.facts, endedAt, state: "completed", trashedAt: endedAt } as const);
    const problem = writeFacts(this.#sessions, facts);
    if (problem !== null) {
      removeFigures(this.#sessions, this.id);
      return `${problem}.`;
    }
    this.#isListed = true;
    return null;
  }

  /** Continues the recording as if it had not been cleared. */
  restore(): void {
    this.#isListed = writeFacts(this.#sessions, this.facts) === null;
    removeFigures(this.#sessions, this.id);
  }

  /** Removes the events that came after the clear and are in the next session too, and closes the files. */
  settle(): void {
    this.writer.closeAfter(this.#lastOwn);
  }

  /** Writes the buffered events and the figures so far; the recording continues. */
  save(figures: unknown): Problem | null {
    const { problem } = this.flush();
    if (problem !== null || this.writer.exchanges === 0) return problem;
    const unsaved = writeFigures(this.#sessions, this.id, figures);
    return unsaved === null ? null : `${unsaved}.`;
  }

  /**
   * Writes the buffered events, and that the session has ended. If the process is killed before `finish`, the session
   * then lacks nothing but its figures.
   */
  complete(endedAt: Instant): Problem | null {
    const { problem } = this.flush();
    if (problem !== null || this.writer.exchanges === 0) return problem;
    this.#facts = Object.freeze({ ...this.#facts, endedAt, state: "completed" });
    return writeFacts(this.#sessions, this.facts);
  }

  /** Deletes everything written so far. */
  discard(): void {
    this.writer.close();
    remove(join(this.#sessions, this.id));
  }

  /** Ends the session with the engine's figures, any JSON data. A session without exchanges is deleted. */
  finish(endedAt: Instant, figures: unknown): SessionFacts | null {
    this.flush();
    const facts = Object.freeze({ ...this.facts, endedAt, state: "completed" as const });
    if (facts.exchanges === 0) {
      this.discard();
      return null;
    }
    this.writer.close();
    writeFigures(this.#sessions, facts.id, figures);
    writeFacts(this.#sessions, facts);
    return facts;
  }
}

/* Operations on a stored session that is no longer being recorded. */

/** Writes annotations of the session's exchanges. */
export function writeAnnotations(
  sessions: string,
  id: string,
  annotations: Iterable<readonly [ExchangeId, Annotation]>,
): Problem | null {
  try {
    const database = openForWriting(join(sessions, id));
    try {
      database.exec("BEGIN");
      putAnnotations(database, annotations);
      database.exec("COMMIT");
      return null;
    } finally {
      database.close(); // without a commit, this rolls back
    }
  } catch (error) {
    return `The change could not be saved: ${errorText(error)}.`;
  }
}

/** Deletes the session's exchanges and bodies and keeps its figures. */
export function dropExchanges(sessions: string, facts: SessionFacts): Problem | null {
  const unsaved = writeFacts(sessions, { ...facts, kept: false });
  // Deletes even if the facts could not be written: on a full disk, deleting makes room.
  return removeExchanges(sessions, facts.id) ?? unsaved;
}

/**
 * Deletes the exchanges of a session whose facts already say that they are not kept. Returns `null` for success, else
 * what failed, in words.
 */
export function removeExchanges(sessions: string, id: string): Problem | null {
  const folder = join(sessions, id);
  return namesIn(folder).reduce<Problem | null>(
    (problem, name) => (outlives(name) ? problem : (remove(join(folder, name)) ?? problem)),
    null,
  );
}

/** The suffix of a deleted session's folder. With it, a folder that is deleted in part is not taken for a session. */
export const DELETED = ".deleted";

/** Deletes the session with its figures: a kill leaves all of it or nothing that is listed. */
export function deleteSession(sessions: string, id: string): Problem | null {
  const folder = join(sessions, id);
  try {
    renameSync(folder, folder + DELETED);
  } catch (error) {
    return `${folder} cannot be deleted: ${errorText(error)}`;
  }
  return remove(folder + DELETED);
}

/** Bytes of the session's files on disk. */
export function sizeOf(sessions: string, id: string): Bytes {
  const folder = join(sessions, id);
  return namesIn(folder).reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** docs/specification.md, Trash: how long a session stays, and the most bytes. */
export const TRASH_TIME: Milliseconds = 7 * 24 * 60 * 60 * 1_000;
export const TRASH_BYTES: Bytes = 1024 ** 3;
/** The most sessions, so that their list stays short. */
export const TRASH_SESSIONS = 100;

interface Trashed {
  readonly id: string;
  readonly trashedAt: Instant;
  readonly size: Bytes;
}

/**
 * Ids of the sessions that must leave the trash. `trash`: the latest first. The latest stays even if it alone is larger
 * than the trash, so that Clear can be undone.
 */
export function surplusOf(trash: readonly Trashed[], now: Instant): readonly string[] {
  let [count, bytes] = [0, 0];
  return trash.flatMap(({ id, trashedAt, size }) => {
    count += 1;
    bytes += size;
    const fits = count === 1 || (count <= TRASH_SESSIONS && bytes <= TRASH_BYTES);
    return fits && now - trashedAt < TRASH_TIME ? [] : [id];
  });
}
