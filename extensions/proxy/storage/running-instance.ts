import { watch } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./private-file.ts";

/** Written by a second start and watched by the first. It needs no secret: only the folder's owner can write it. */
const SIGNAL_FILE = "knock";

/** Asks the running Weir of this data folder to show its window. `null` is success, else a sentence. */
export function signalRunningInstance(folder: string): string | null {
  return writePrivateFile(join(folder, SIGNAL_FILE), `${process.pid}\n`);
}

/**
 * Calls `listener` at each signal until the returned function is called. Where folders cannot be watched, it never
 * calls it.
 */
export function onSecondStart(folder: string, listener: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === SIGNAL_FILE) listener();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // Without a watch the window does not come forward by itself; nothing else is lost.
    return () => {};
  }
}
