import { join } from "node:path";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import { sessionLabelOf } from "../../../src/engine/model/session-name.ts";
import { allFacts, hasFolder, readFigures, type SessionFacts } from "./session-facts.ts";
import { SessionReader } from "./session-reader.ts";

/* Functions that read a data folder without owning its lock. */

export function sessionsFolder(dataFolder: string): string {
  return join(dataFolder, "sessions");
}

/** The sessions of a data folder that are not in the trash, oldest first, also while another process records. */
export function listSessions(dataFolder: string): readonly SessionFacts[] {
  return allFacts(sessionsFolder(dataFolder)).filter(({ trashedAt }) => trashedAt === null);
}

/** Opens a stored session, also one that another process records. A problem is a phrase. */
export function openSession(dataFolder: string, id: string): Result<SessionReader> {
  if (!hasFolder(sessionsFolder(dataFolder), id)) return failure(`there is no session "${id}"`);
  return SessionReader.open(join(sessionsFolder(dataFolder), id));
}

/** The engine's figures of a stored session, undecoded; `null` if there are none. */
export function readSessionFigures(dataFolder: string, id: string): unknown {
  return readFigures(sessionsFolder(dataFolder), id);
}

/**
 * The session that `wanted` names: its id, its name, `newest`, `current` (the one that is being recorded, or that a
 * crash interrupted) or `last` (the newest that has ended). `null` if there is none; several of one name are a failure.
 */
export function chosenSession(sessions: readonly SessionFacts[], wanted: string): Result<SessionFacts | null> {
  const found = newestFirst(sessions).find(({ id, state }) => {
    if (wanted === "newest") return true;
    if (wanted === "current") return state === "current";
    if (wanted === "last") return state !== "current";
    return id === wanted;
  });
  if (found !== undefined) return success(found);
  const [named, ...more] = newestFirst(sessions).filter((facts) => sessionLabelOf(facts) === wanted);
  if (named === undefined || more.length === 0) return success(named ?? null);
  const ids = [named, ...more].map(({ id }) => id);
  return failure(`${ids.length} sessions are called "${wanted}". Give the id of one: ${ids.slice(0, 5).join(", ")}.`);
}

/**
 * Sorts sessions by end, the latest first. Ids do not show this order, because the id of an imported session is the
 * time of its import. The current session has no end yet and comes first.
 */
export function newestFirst(sessions: readonly SessionFacts[]): readonly SessionFacts[] {
  const end = ({ endedAt }: SessionFacts) => endedAt ?? Number.POSITIVE_INFINITY;
  return sessions.toReversed().sort((one, other) => (end(one) === end(other) ? 0 : end(other) - end(one)));
}
