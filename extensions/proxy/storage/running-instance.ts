import { watch } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../../src/engine/model/result.ts";
import { writePrivateFile } from "./private-file.ts";

/**
 * A second start writes this file, and the running Weir watches it. The file needs no secret, because only the folder's
 * owner can write it.
 */
const SIGNAL_FILE = "knock";

/** Asks the running Weir of this data folder to show its window. */
export function signalRunningInstance(folder: string): Problem | null {
  return writePrivateFile(join(folder, SIGNAL_FILE), `${process.pid}\n`);
}

/**
 * Calls `listener` when a second start signals, until the returned function is called. If folders cannot be watched,
 * `listener` is never called.
 */
export function onSecondStart(folder: string, listener: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === SIGNAL_FILE) listener();
    });
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // Without a watcher, a second start does not bring the window to the front; everything else works.
    return () => {};
  }
}
