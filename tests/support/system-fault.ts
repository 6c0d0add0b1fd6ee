import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withFolder } from "./temporary-folder.ts";
import { toolEnvironment } from "./tool.ts";
import { needs, toolFor } from "./which.ts";

/** The system calls that fail, and the error. */
export interface SystemFault {
  readonly calls: readonly string[];
  readonly error: "EIO" | "EACCES";
  /** Only calls on these existing files fail; if empty, all calls. */
  readonly files: readonly string[];
}

/** Why system calls cannot be made to fail here; `null` if they can be. */
export function needsFaults(): string | null {
  const missing = process.platform === "linux" ? needs("strace") : "needs strace, which is Linux's";
  if (missing !== null) return missing;
  return toolFor(["strace"], ["-e", "trace=none", "true"]) === null ? "needs strace that may trace (ptrace)" : null;
}

/**
 * Makes system calls of a running program fail while `body` runs; throws if none failed. strace changes the results
 * from outside, so that the tested program is the released one.
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
      env: toolEnvironment(folder),
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
