import { existsSync } from "node:fs";
import { join } from "node:path";
import { OWNER_FILE, type Owner, takeLock } from "../extensions/proxy/storage/lock.ts";

/**
 * The owner of the running Weir that uses the data folder; `null` if no Weir runs, or if Weir has not written the
 * owner's file yet.
 */
export function runningOwner(folder: string): Owner | null {
  // A Weir that is starting has not written the file yet. Taking the lock now would make that start fail.
  if (!existsSync(join(folder, OWNER_FILE))) return null;
  const result = takeLock(folder);
  if (!result.ok) return null;
  if (result.value.kind === "taken") return result.value.owner;
  result.value.lock.release();
  return null;
}
