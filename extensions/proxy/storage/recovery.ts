import { statSync } from "node:fs";
import { join } from "node:path";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import { CurrentSession } from "./current-session.ts";
import { removeExchanges } from "./ended-session.ts";
import { clearTemporaries, remove, setAside, wordsOf } from "./private-file.ts";
import { DATABASE_FILE, openForWriting } from "./session-database.ts";
import { newFacts, readFacts, type SessionFacts, sessionIds, startOf, writeFacts } from "./session-facts.ts";

const COUNT = `SELECT (SELECT count(*) FROM exchanges) + (SELECT coalesce(sum(count), 0) FROM blocks)
  + (SELECT coalesce(sum(count), 0) FROM block_places) AS count`;

/** What was made of the sessions that nobody had ended. */
export interface Recovery {
  /** The one that is recorded further. */
  readonly current: CurrentSession | null;
  /** The latest that has ended so. */
  readonly recovered: string | null;
  /** What could not be read, in sentences. */
  readonly notices: readonly string[];
}

/**
 * Looks for sessions whose recording ended without a word: the process was killed, or their facts are damaged. Never fails:
 * what is unusable is set aside, and what was to be deleted is. `goesOn`: the session is recorded further where that can be, with so many body bytes at most.
 */
export function recoverSessions(sessions: string, bodyCap: Bytes, goesOn: boolean): Recovery {
  const notices: string[] = [];
  let current: CurrentSession | null = null;
  let recovered: string | null = null;
  const all = sessionIds(sessions).map((id) => ({ id, known: readFacts(sessions, id) }));
  for (const { id, known } of all) {
    clearTemporaries(join(sessions, id)); // what cannot be deleted does no harm
    if (known?.kept === false) removeExchanges(sessions, id);
  }
  const waiting = all.filter(({ known }) => known === null || known.state === "current");
  for (const { id, known } of waiting) {
    // Whatever kept an earlier one from being ended, the latest is the one that was being recorded.
    if (goesOn && id === waiting.at(-1)?.id) current = CurrentSession.resume(sessions, id, known, bodyCap);
    if (id === current?.id) continue;
    const facts = recoveredFacts(sessions, id, known);
    if (typeof facts === "string") {
      const aside = setAside(join(sessions, id));
      notices.push(`A session could not be read: ${facts}. It is kept as ${aside ?? join(sessions, id)}.`);
    } else if (facts.exchanges === 0) {
      remove(join(sessions, id));
    } else {
      writeFacts(sessions, facts);
      recovered = id;
    }
  }
  return { current, recovered, notices };
}

/** `known` is `null` where its facts are damaged. A sentence's worth of why, if its database cannot be used. */
function recoveredFacts(sessions: string, id: string, known: SessionFacts | null): SessionFacts | string {
  const folder = join(sessions, id);
  try {
    const writtenAt = lastWrittenAt(folder);
    const database = openForWriting(folder);
    try {
      const { count } = database.prepare(COUNT).get() ?? {};
      const facts = known ?? newFacts(id, startOf(id));
      // Files have the wall clock's time, which may have been set back since it began.
      const endedAt = Math.max(writtenAt, facts.startedAt) as Instant;
      return Object.freeze({ ...facts, endedAt, state: "recovered", exchanges: Number(count) });
    } finally {
      database.close();
    }
  } catch (error) {
    return wordsOf(error);
  }
}

function lastWrittenAt(folder: string): Instant {
  const times = ["", "-wal"].map(
    (end) => statSync(join(folder, DATABASE_FILE + end), { throwIfNoEntry: false })?.mtimeMs,
  );
  return Math.max(...times.map((time) => time ?? 0)) as Instant;
}
