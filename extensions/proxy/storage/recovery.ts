import { statSync } from "node:fs";
import { join } from "node:path";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import { readDeletions } from "./deleted-exchanges.ts";
import { UNFINISHED } from "./imported-session.ts";
import { clearTemporaries, errorText, isLink, namesIn, remove, setAside } from "./private-file.ts";
import { DELETED, RecordedSession, removeExchanges } from "./recorded-session.ts";
import { DATABASE_FILE, openForWriting } from "./session-database.ts";
import {
  isOtherFormat,
  isSessionId,
  newFacts,
  readFacts,
  type SessionFacts,
  sessionIds,
  startOf,
  writeFacts,
} from "./session-facts.ts";

const COUNT = "SELECT count(DISTINCT exchange) AS count FROM parts";

export interface Recovery {
  readonly current: RecordedSession | null;
  /** Id of the latest session that was recovered; `null` if none was. */
  readonly recovered: string | null;
  /** Sentences about sessions that could not be read. */
  readonly notices: readonly string[];
}

/** If a session has another format, sets the whole folder aside and returns a sentence for the user; else `null`. */
export function setOtherFormatAside(sessions: string): string | null {
  if (!sessionIds(sessions).some((id) => isOtherFormat(sessions, id))) return null;
  return `Sessions of another version of Weir cannot be read; they are kept as ${setAside(sessions) ?? sessions}.`;
}

/** Removes imports and deletions that a kill interrupted. Links, and folders that Weir did not name, stay. */
export function clearInterrupted(sessions: string): void {
  for (const name of namesIn(sessions)) {
    const suffix = [UNFINISHED, DELETED].find((one) => name.endsWith(one));
    if (suffix === undefined || !isSessionId(name.slice(0, -suffix.length))) continue;
    if (!isLink(join(sessions, name))) remove(join(sessions, name));
  }
}

/**
 * Recovers sessions that a kill interrupted or whose facts are damaged, sets unusable ones aside, and completes
 * interrupted deletions. `goesOn`: continue recording the latest session if possible, with at most `sessionCap` bytes
 * of bodies.
 */
export function recoverSessions(sessions: string, sessionCap: Bytes, goesOn: boolean): Recovery {
  const notices: string[] = [];
  let current: RecordedSession | null = null;
  let recovered: string | null = null;
  const ids = sessionIds(sessions).filter((id) => !isOtherFormat(sessions, id));
  const all = ids.map((id) => ({ id, known: readFacts(sessions, id) }));
  for (const { id, known } of all) {
    clearTemporaries(join(sessions, id)); // if files cannot be deleted, they do no harm
    if (known?.kept === false) removeExchanges(sessions, id);
  }
  const waiting = all.filter(({ known }) => known === null || known.state === "current");
  for (const { id, known } of waiting) {
    // Recording continues in the latest session only.
    if (goesOn && id === waiting.at(-1)?.id) current = RecordedSession.resume(sessions, id, known, sessionCap);
    if (id === current?.id) continue;
    const facts = recoveredFacts(sessions, id, known);
    if (!facts.ok) {
      const aside = setAside(join(sessions, id));
      notices.push(`A session could not be read: ${facts.problem}. It is kept as ${aside ?? join(sessions, id)}.`);
    } else if (facts.value.exchanges === 0) {
      remove(join(sessions, id));
    } else {
      writeFacts(sessions, facts.value);
      recovered = id;
    }
  }
  return { current, recovered, notices };
}

/** The facts of a recovered session. `known`: `null` if its facts are damaged. A problem is a phrase. */
function recoveredFacts(sessions: string, id: string, known: SessionFacts | null): Result<SessionFacts> {
  const folder = join(sessions, id);
  try {
    const writtenAt = lastWrittenAt(folder);
    const database = openForWriting(folder);
    try {
      const { count } = database.prepare(COUNT).get() ?? {};
      const part = database.prepare("SELECT 1 FROM parts WHERE exchange = ? LIMIT 1");
      const deleted = [...readDeletions(folder)].filter((one) => part.get(one) !== undefined).length;
      const facts = known ?? newFacts(id, startOf(id));
      // File times follow the wall clock, which may have been set back.
      const endedAt = Math.max(writtenAt, facts.startedAt) as Instant;
      return success(Object.freeze({ ...facts, endedAt, state: "recovered", exchanges: Number(count) - deleted }));
    } finally {
      database.close();
    }
  } catch (error) {
    return failure(errorText(error));
  }
}

function lastWrittenAt(folder: string): Instant {
  const times = ["", "-wal"].map(
    (end) => statSync(join(folder, DATABASE_FILE + end), { throwIfNoEntry: false })?.mtimeMs,
  );
  return Math.max(...times.map((time) => time ?? 0)) as Instant;
}
