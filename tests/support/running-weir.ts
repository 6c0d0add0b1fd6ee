import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "../../scripts/build.ts";
import { isStale } from "../../scripts/stale.mjs";

const BUNDLE = fileURLToPath(new URL("../../build/extensions/proxy/main.mjs", import.meta.url));
const WEIR = fileURLToPath(new URL("../../scripts/weir.mjs", import.meta.url));

/** Longest wait in ms for the program's ready line, or for its exit. */
const LIMIT = 50_000;

/** docs/specification.md, `--json`. */
export interface Ready {
  readonly proxy: { readonly host: string; readonly port: number };
  readonly reverse: readonly string[];
  readonly transparent: readonly string[];
  readonly ui: string;
  readonly hub: string;
  readonly ca: string;
  readonly caBundle: string;
  readonly dataDir: string;
}

/** Weir as released, started as for a browser, with a process and a data folder of its own. */
export interface RunningWeir extends Ready {
  readonly process: ChildProcess;
  /** The output of `npm run export` with these arguments. */
  exported(...words: readonly string[]): Promise<string>;
  /** Repeats the export until `holds` is true, because an export reads only what is written already. */
  exportedOnce(holds: (text: string) => boolean, ...words: readonly string[]): Promise<string>;
  /** Stops Weir with SIGTERM and removes the data folder. Returns the exit code. */
  stop(): Promise<number | null>;
}

/** `env` is added to the environment of this process; `wrapper`: words that run the rest of the command line. */
export async function runningWeir(
  words: readonly string[] = [],
  folder: string | null = null,
  env: Readonly<Record<string, string>> = {},
  wrapper: readonly string[] = [],
): Promise<RunningWeir> {
  await builtApp();
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), "weir-app-")));
  const child = startWeir(["--port", "0", "--data-dir", dataDir, ...words], env, wrapper);
  const line = await firstLine(child);
  if (line === null) throw new Error(`Weir did not start: exit code ${child.exitCode}`);
  return {
    ...(JSON.parse(line) as Ready),
    process: child,
    exported: (...more) => exported(dataDir, more),
    exportedOnce: async (holds, ...more) => {
      for (;;) {
        const text = await exported(dataDir, more).catch(ifNothingIsThere);
        if (text !== null && holds(text)) return text;
      }
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      if (folder === null) await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      return child.exitCode;
    },
  };
}

/** Starts Weir without a port and folder of its own, for example for a start that must fail. */
export function startWeir(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  wrapper: readonly string[] = [],
): ChildProcess {
  const options = { stdio: ["ignore", "pipe", "pipe"] as ("ignore" | "pipe")[], env: { ...process.env, ...env } };
  const [program = "", ...rest] = [...wrapper, process.execPath, BUNDLE, "--standalone", "--json", ...words];
  return spawn(program, rest, options);
}

/** The result of a failed start. */
export interface Ending {
  readonly code: number | null;
  readonly complaint: string;
}

export async function endingOf(child: ChildProcess): Promise<Ending> {
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint += chunk.toString("utf8");
  });
  child.stdout?.resume();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, complaint };
}

/** Builds the app if it is stale, once for all suites of a run. */
export async function builtApp(): Promise<void> {
  building ??= isStale() ? build() : Promise.resolve();
  await building;
}

let building: Promise<unknown> | null = null;

/** Exit code of an export if there is no session. */
const NO_SESSION = 4;

class FailedExport extends Error {
  readonly code: number | null;

  constructor(code: number | null) {
    super(`export ended with ${code}`);
    this.code = code;
  }
}

function ifNothingIsThere(error: unknown): null {
  if (error instanceof FailedExport && error.code === NO_SESSION) return null;
  throw error;
}

async function exported(dataDir: string, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [WEIR, "export", "--data-dir", dataDir, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new FailedExport(code);
  return Buffer.concat(chunks).toString("utf8");
}

async function firstLine(child: ChildProcess): Promise<string | null> {
  if (child.stdout === null) return null;
  const lines = createInterface({ input: child.stdout });
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT);
  const line = await Promise.race([once(lines, "line"), once(child, "exit").then(() => [null])]);
  clearTimeout(limit);
  return line[0] as string | null;
}
