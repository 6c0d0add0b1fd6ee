import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Owner, takeLock } from "../extensions/proxy/storage/lock.ts";

/** The Weir that uses this data folder; empty until it has announced itself; `null`: none. */
export function runningOwner(folder: string): Partial<Owner> | null {
  // Taking the lock would create the file.
  if (!existsSync(join(folder, "lock.sqlite"))) return null;
  const result = takeLock(folder);
  if (result.kind === "held") result.lock.release();
  return result.kind === "taken" ? (result.owner ?? {}) : null;
}
