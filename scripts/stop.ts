import { resolve } from "node:path";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE, INTERNAL_ERROR } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { awaitLock } from "../extensions/proxy/storage/lock.ts";
import { complain, emptyAmong } from "./command.ts";
import type { ParsedFor } from "./command-table.ts";
import { runningOwner } from "./running-owner.ts";

/** Time limit in ms until Weir has stored its recording and ended. */
const PATIENCE = 30_000;

/** Ends the Weir that uses a data folder, in the same way as Ctrl+C, and returns when it has ended. */
export async function main({ values }: ParsedFor<"stop">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const folder = resolve(values["data-dir"] ?? defaultDataFolder());
  const owner = runningOwner(folder);
  if (owner === null) return complain(DATA_FOLDER_UNUSABLE, `No Weir runs with the data folder ${folder}.`);
  try {
    process.kill(owner.pid, "SIGTERM");
  } catch (error) {
    // The process may have ended already; the lock then shows that.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
  const result = await awaitLock(folder, PATIENCE);
  if (result.ok && result.value.kind === "taken")
    return complain(INTERNAL_ERROR, `Weir (process ${owner.pid}) has not ended within ${PATIENCE / 1_000} s.`);
  if (result.ok && result.value.kind === "held") result.value.lock.release();
  return 0;
}
