import { join } from "node:path";
import { allFacts, isSessionId, readFigures, type SessionFacts } from "./session-facts.ts";
import { SessionReader } from "./session-reader.ts";

/*
 * What anybody may read of a data folder, whoever owns its lock.
 */

/** Where a data folder's sessions lie. */
export function sessionsFolder(dataFolder: string): string {
  return join(dataFolder, "sessions");
}

/** All sessions of a data folder, oldest first, also while another process records. */
export function listSessions(dataFolder: string): readonly SessionFacts[] {
  return allFacts(sessionsFolder(dataFolder));
}

/** Opens a stored session, also the one that another process records; a sentence's worth of why not, if it cannot be. */
export function openSession(dataFolder: string, id: string): SessionReader | string {
  return isSessionId(id) ? SessionReader.open(join(sessionsFolder(dataFolder), id)) : `there is no session "${id}"`;
}

/** The engine's figures of a stored session, undecoded; `null` where there are none. */
export function readSessionFigures(dataFolder: string, id: string): unknown {
  return readFigures(sessionsFolder(dataFolder), id);
}
