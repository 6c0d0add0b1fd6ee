import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Remark } from "../../../src/engine/model/remark.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { namesIn, remove, wordsOf } from "./private-file.ts";
import { openForWriting } from "./session-database.ts";
import { outlives, type SessionFacts, writeFacts } from "./session-facts.ts";
import { SessionRows } from "./session-rows.ts";

/*
 * What is done with a session on disk that nobody records any more.
 */

/** Writes what a person says of its exchanges. `null` is success, else a sentence. */
export function writeRemarks(
  sessions: string,
  id: string,
  remarks: Iterable<readonly [ExchangeId, Remark]>,
): string | null {
  try {
    const database = openForWriting(join(sessions, id));
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

/** Deletes its exchanges and bodies; its figures stay. `null` is success, else a sentence. */
export function dropExchanges(sessions: string, facts: SessionFacts): string | null {
  const unsaved = writeFacts(sessions, { ...facts, kept: false });
  // Deleting goes on where writing fails: on a full disk it is what helps.
  return removeExchanges(sessions, facts.id) ?? unsaved;
}

/** Deletes them where the facts say already that they are not kept. `null` is success, else a sentence. */
export function removeExchanges(sessions: string, id: string): string | null {
  const folder = join(sessions, id);
  return namesIn(folder).reduce<string | null>(
    (problem, name) => (outlives(name) ? problem : (remove(join(folder, name)) ?? problem)),
    null,
  );
}

/** Its bytes on disk; so far, while it is recorded. */
export function sizeOf(sessions: string, id: string): Bytes {
  const folder = join(sessions, id);
  return namesIn(folder).reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
