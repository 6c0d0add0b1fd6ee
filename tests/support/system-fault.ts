import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withFolder } from "./temporary-folder.ts";
import { needs } from "./which.ts";

/** Which calls of a program to the system fail, and with what. */
export interface SystemFault {
  readonly calls: readonly string[];
  readonly error: "EIO" | "EACCES";
  /** Only those that concern these files, which are there already; none: all of them. */
  readonly files: readonly string[];
}

/** Why no fault can be made here; `null` where it can. */
export function needsFaults(): string | null {
  const missing = process.platform === "linux" ? needs("strace") : "needs strace, which is Linux's";
  if (missing !== null) return missing;
  return spawnSync("strace", ["-e", "trace=none", "true"]).status === 0 ? null : "needs strace that may trace (ptrace)";
}

/**
 * Has these calls of a running program fail while `body` runs, and then no longer: strace changes their results from outside,
 * so the program is the one that ships. Throws if none failed.
 */
export function withFault(pid: number, { calls, error, files }: SystemFault, body: () => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const told = join(folder, "calls");
    const set = calls.join(",");
    const words = [
      "-e",
      `trace=${set}`,
      "-e",
      `inject=${set}:error=${error}`,
      ...files.flatMap((file) => ["-P", file]),
    ];
    const strace = spawn("strace", ["-f", "-o", told, ...words, "-p", String(pid)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(strace, "exit");
    try {
      await attached(strace.stderr);
      await body();
    } finally {
      strace.kill("SIGINT");
      await ended;
    }
    if (!readFileSync(told, "utf8").includes("(INJECTED)")) throw new Error("no call failed");
  });
}

async function attached(stderr: NodeJS.ReadableStream): Promise<void> {
  let text = "";
  for await (const chunk of stderr) {
    text += String(chunk);
    if (/Process \d+ attached/.test(text)) return;
  }
  throw new Error(`strace ended: ${text}`);
}
