import { statSync } from "node:fs";
import { join } from "node:path";
import type { Instant } from "../../../src/engine/model/units.ts";
import { wordsOf } from "./private-file.ts";
import { DATABASE_FILE, openForWriting } from "./session-database.ts";
import { type SessionFacts, startOf } from "./session-facts.ts";

const COUNT = `SELECT (SELECT count(*) FROM exchanges) + (SELECT coalesce(sum(count), 0) FROM blocks)
  + (SELECT coalesce(sum(count), 0) FROM block_places) AS count`;

/**
 * The facts of a session whose recording ended without a word: the process was killed, or its facts are damaged (`known` is
 * then `null`). A sentence's worth of why, if its database cannot be used.
 */
export function recoveredFacts(sessions: string, id: string, known: SessionFacts | null): SessionFacts | string {
  const folder = join(sessions, id);
  try {
    const endedAt = lastWrittenAt(folder);
    const database = openForWriting(folder);
    try {
      const { count } = database.prepare(COUNT).get() ?? {};
      const facts = known ?? unknownFacts(id);
      return Object.freeze({ ...facts, endedAt, state: "recovered", exchanges: Number(count) });
    } finally {
      database.close();
    }
  } catch (error) {
    return wordsOf(error);
  }
}

/** All that its name tells. */
function unknownFacts(id: string): Omit<SessionFacts, "endedAt" | "state" | "exchanges"> {
  return { id, startedAt: startOf(id), name: "", notes: "", kept: true, imported: false, baseline: true };
}

function lastWrittenAt(folder: string): Instant {
  const times = ["", "-wal"].map(
    (end) => statSync(join(folder, DATABASE_FILE + end), { throwIfNoEntry: false })?.mtimeMs,
  );
  return Math.max(...times.map((time) => time ?? 0)) as Instant;
}
