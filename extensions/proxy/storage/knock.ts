import { watch } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./private-file.ts";

/** Written by a second start, seen by the first: only the folder's owner can, so nothing has to be proved. */
const KNOCK_FILE = "knock";

/** Asks the Weir that has this data folder to come forward. `null` is success, else a sentence. */
export function knock(folder: string): string | null {
  return writePrivateFile(join(folder, KNOCK_FILE), `${process.pid}\n`);
}

/** Hears it, until what it gives is called. Where the system cannot watch a folder nothing is heard, and nothing else is lost. */
export function onKnock(folder: string, listener: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === KNOCK_FILE) listener();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // It only means that the window does not come forward by itself.
    return () => {};
  }
}
