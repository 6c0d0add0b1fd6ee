import { join } from "node:path";
import { failure, type Result } from "../../../src/engine/model/result.ts";
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
