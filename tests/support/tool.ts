import { spawn } from "node:child_process";
import { join } from "node:path";

/** Longest that a tool may take. */
const TOOL_LIMIT = 15_000;

export interface ToolRun {
  readonly code: number | null;
  /** Standard output and error, as they came. */
  readonly output: string;
}

export interface ToolOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly limit?: number;
  /** Ends it: for tools that go on until they are stopped. */
  readonly signal?: AbortSignal;
  /** All output so far, each time that more has come. */
  readonly onOutput?: (output: string) => void;
}

/** Runs a tool with a cleared environment in a folder that is also its HOME, and ends all that it started. */
export async function runTool(
  argv: readonly string[],
  folder: string,
  { env = {}, limit = TOOL_LIMIT, signal, onOutput }: ToolOptions = {},
): Promise<ToolRun> {
  const [program = "", ...rest] = argv;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { PATH: TOOL_PATH, HOME: folder, LANG: "C.UTF-8", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      output += text;
      onOutput?.(output);
    });
  }
  const endAll = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has ended already.
    }
  };
  const late = setTimeout(endAll, limit);
  signal?.addEventListener("abort", endAll);
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(null);
    });
    child.once("close", resolve);
  });
  clearTimeout(late);
  endAll();
  return { code, output };
}

/** Where the npm tools of the proofs are, if they are installed. */
export const TOOLS_FOLDER = join(import.meta.dirname, "../e2e/tools/node_modules");

/** Our own Node first, then the npm tools, then the system's: a developer's PATH is not asked. */
export const TOOL_PATH = [
  join(process.execPath, ".."),
  join(TOOLS_FOLDER, ".bin"),
  join(TOOLS_FOLDER, "@deno/linux-x64-glibc"),
  join(TOOLS_FOLDER, "@oven/bun-linux-x64/bin"),
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
].join(":");
