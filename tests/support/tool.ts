import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

/** Time limit of a tool in ms: less than a test's limit, and enough for a busy computer. */
const TOOL_LIMIT = 50_000;

export interface ToolRun {
  readonly code: number | null;
  /** The texts of standard output and standard error, in the order of their arrival. */
  readonly output: string;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface ToolOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly limit?: number;
  /** Standard input: a text, or the number of an open file. */
  readonly input?: string | number;
  /** Stops a tool that does not exit by itself. */
  readonly signal?: AbortSignal;
  /** Called after each piece of output, with all output so far. */
  readonly onOutput?: (output: string) => void;
}

/** Runs a tool in a folder that is also its HOME, and then ends all processes that the tool started. */
export async function runTool(
  argv: readonly string[],
  folder: string,
  { env = {}, limit = TOOL_LIMIT, input, signal, onOutput }: ToolOptions = {},
): Promise<ToolRun> {
  const [program = "", ...rest] = argv;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...toolEnvironment(folder), ...env },
    stdio: [typeof input === "string" ? "pipe" : (input ?? "ignore"), "pipe", "pipe"],
    detached: true,
  });
  // The tool may close its input early.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  let output = "";
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  for (const [stream, chunks] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const) {
    const decoder = new TextDecoder();
    stream?.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      output += decoder.decode(chunk, { stream: true });
      onOutput?.(output);
    });
  }
  const endAll = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The process group has ended already.
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
  return { code, output, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

let home: string | null = null;

/** A HOME for tools that run longer than a test; removed after all tests. */
export function homeOfAll(): string {
  if (home !== null) return home;
  const made = mkdtempSync(join(tmpdir(), "weir-home-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  home = made;
  return made;
}

/** The folder with the npm tools for proofs, if they are installed. */
export const TOOLS_FOLDER = join(import.meta.dirname, "../e2e/tools/node_modules");

/** This Node first, then the npm tools, then the PATH of the test run. */
export const TOOL_PATH = [
  join(process.execPath, ".."),
  join(TOOLS_FOLDER, ".bin"),
  join(TOOLS_FOLDER, "@deno/linux-x64-glibc"),
  join(TOOLS_FOLDER, "@oven/bun-linux-x64/bin"),
  ...(process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder)),
].join(delimiter);

/** Version managers whose programs need a folder: the variable that names it, and the default below HOME. */
const MANAGERS = [
  ["ASDF_DATA_DIR", ".asdf"],
  ["PYENV_ROOT", ".pyenv"],
  ["RBENV_ROOT", ".rbenv"],
  ["RUSTUP_HOME", ".rustup"],
  ["VOLTA_HOME", ".volta"],
] as const;

/**
 * The environment in which tools are searched for (`which.ts`) and run: PATH, time zone and the folders of version
 * managers. Proxies, certificates and settings of the user are left out.
 */
export function toolEnvironment(home: string): Readonly<Record<string, string>> {
  return { ...inherited, PATH: TOOL_PATH, HOME: home, LANG: "C.UTF-8" };
}

const inherited: Readonly<Record<string, string>> = Object.fromEntries([
  ...(process.env["TZ"] === undefined ? [] : [["TZ", process.env["TZ"]]]),
  ...MANAGERS.flatMap(([name, folder]) => {
    const path = process.env[name] ?? join(homedir(), folder);
    return existsSync(path) ? [[name, path]] : [];
  }),
]);
