import { readFileSync } from "node:fs";
import type { Milliseconds } from "../../../src/engine/model/units.ts";

/** Between two looks: a window that ends must stop the proxy within a second (docs/security.md R10). */
const LOOK: Milliseconds = 250;

/**
 * Calls back once the window's process has ended. Its socket is no sign of that: processes of the web view inherit it,
 * and outlive the window by seconds. `pid`: from the shell that started this process; without one, nothing is watched.
 */
export function watchWindow(pid: string | undefined, onEnd: () => void): void {
  const window = Number(pid);
  if (!Number.isInteger(window) || window <= 1) return;
  const look = setInterval(() => {
    if (isRunning(window)) return;
    clearInterval(look);
    onEnd();
  }, LOOK);
  look.unref();
}

/** Whether a process runs. One that has ended, but whose parent has not read its exit code, does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    // Another user's process runs.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
