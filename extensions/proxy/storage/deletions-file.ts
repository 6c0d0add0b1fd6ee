import { join } from "node:path";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { parsedJson } from "./json.ts";
import { readPrivateFile, remove, writePrivateFile } from "./private-file.ts";

/** In a session's folder, while exchanges were deleted from it that its database still holds (purge.ts). */
export const DELETIONS_FILE = "deleted.json";

/** The most bytes of the file: the ids of more exchanges than a session has. */
const MOST_BYTES: Bytes = 32 * 1024 * 1024;

const NONE: ReadonlySet<ExchangeId> = new Set();

/** The exchanges that were deleted from the session in this folder and are to be purged. */
export function readDeletions(folder: string): ReadonlySet<ExchangeId> {
  const file = readPrivateFile(join(folder, DELETIONS_FILE), MOST_BYTES);
  if (!file.ok || file.value === null) return NONE;
  const ids = parsedJson(String(file.value));
  return Array.isArray(ids) ? new Set(ids.filter((id) => Number.isSafeInteger(id))) : NONE;
}

/** Replaces the list at once; an empty one has no file. */
export function writeDeletions(folder: string, ids: ReadonlySet<ExchangeId>): Problem | null {
  const path = join(folder, DELETIONS_FILE);
  return ids.size === 0 ? remove(path) : writePrivateFile(path, JSON.stringify([...ids]));
}
