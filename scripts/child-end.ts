import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";

/**
 * Milliseconds within which two signals count as one. Where /bin/sh is bash (macOS, Fedora, Arch), one Ctrl+C arrives
 * twice: from the terminal and from npm. The engine would take the second signal for a forced quit.
 */
export const ECHO = 100;

/** The parent process at the start. */
const PARENT = process.ppid;
/** Milliseconds between two checks that the parent still runs. */
const LOOK = 1_000;

/** Resolves with the child's exit code. Until then, signals to this process are passed on to the child. */
export async function endOf(child: ChildProcess): Promise<number> {
  let passed = Number.NEGATIVE_INFINITY;
  const pass = (signal: NodeJS.Signals) => {
    const at = performance.now();
    if (at - passed < ECHO) return;
    passed = at;
    child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, pass);
  try {
    const [code, by] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // As in a shell: 128 plus the signal's number, if a signal ended the process.
    return code ?? 128 + (by === null ? 0 : constants.signals[by]);
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}

/**
 * Under npm only, ends this process as SIGTERM does once its parent has ended: npm sends SIGTERM to the shell that
 * started this process, and some shells (dash) do not pass the signal on. Does not keep the process alive.
 */
export function endWithParent(): void {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const look = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(look);
    process.kill(process.pid, "SIGTERM");
  }, LOOK);
  look.unref();
}
