import { join } from "node:path";
import { allFacts, isSessionId, readFigures, type SessionFacts } from "./session-facts.ts";
import { SessionReader } from "./session-reader.ts";

/* Functions that read a data folder without owning its lock. */

/** The folder of the sessions in a data folder. */
export function sessionsFolder(dataFolder: string): string {
  return join(dataFolder, "sessions");
}

/** All sessions of a data folder, oldest first, also while another process records. */
export function listSessions(dataFolder: string): readonly SessionFacts[] {
  return allFacts(sessionsFolder(dataFolder));
}

/** Opens a stored session, also one that another process records; returns a phrase if it cannot be opened. */
export function openSession(dataFolder: string, id: string): SessionReader | string {
  return isSessionId(id) ? SessionReader.open(join(sessionsFolder(dataFolder), id)) : `there is no session "${id}"`;
}

/** The engine's figures of a stored session, undecoded; `null` if there are none. */
export function readSessionFigures(dataFolder: string, id: string): unknown {
  return readFigures(sessionsFolder(dataFolder), id);
}
