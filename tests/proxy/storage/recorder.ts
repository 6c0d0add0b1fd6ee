import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("./recording-child.ts", import.meta.url));

/** A process that records into that folder. */
export function recorder(folder: string): ChildProcess {
  return fork(CHILD, [folder], { execArgv: ["--no-warnings"] });
}

/** Waits until the process has reported this many more counts of written exchanges; returns the latest. */
export async function waitForCount(child: ChildProcess, times: number): Promise<number> {
  let last = 0;
  for (let count = 0; count < times; count += 1) last = Number((await once(child, "message"))[0]);
  return last;
}

export async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
