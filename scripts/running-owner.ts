import { existsSync } from "node:fs";
import { join } from "node:path";
import { OWNER_FILE, type Owner, takeLock } from "../extensions/proxy/storage/lock.ts";

/** The Weir that uses this data folder and has announced itself; `null`: none. */
export function runningOwner(folder: string): Owner | null {
  // A Weir that is starting has no such file yet. Taking its lock now would keep it from starting.
  if (!existsSync(join(folder, OWNER_FILE))) return null;
  const result = takeLock(folder);
  if (result.kind === "held") result.lock.release();
  return result.kind === "taken" ? result.owner : null;
}
