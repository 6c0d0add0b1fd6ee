import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Annotation } from "../../../src/engine/model/annotation.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { errorText, namesIn, remove } from "./private-file.ts";
import { openForWriting } from "./session-database.ts";
import { outlives, type SessionFacts, writeFacts } from "./session-facts.ts";
import { putAnnotations } from "./session-writer.ts";

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
