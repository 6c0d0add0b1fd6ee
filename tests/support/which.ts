import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { TOOL_PATH, toolEnvironment } from "./tool.ts";

/** A tool's time limit to answer: a slow one on a busy machine must not count as missing. */
const LIMIT = 60_000;

/** Arguments with which a program exits without an error, where that is not printing its version. */
const SIMPLEST: Readonly<Record<string, readonly string[]>> = {
  certutil: ["-N", "--empty-password", "-d", "sql:."],
  go: ["version"],
  gofmt: ["-h"],
  ip: ["-V"],
  keytool: ["-help"],
  openssl: ["version"],
  // Without TLS, as on a minimal system, it is not usable as a client.
  python3: ["-c", "import ssl"],
  sh: ["-c", ":"],
  unzip: ["-v"],
  WebKitWebDriver: ["--help"],
  Xvfb: ["-help"],
};

/** The results so far. */
const known = new Map<string, boolean>();

/**
 * The full path of the first of these programs (names on the tools' PATH, or paths) that runs with these arguments
 * without an error in `runTool`'s environment; `null`: none. A machine may have several of one name, and the first may
 * lack the libraries.
 */
export function toolFor(programs: readonly string[], words: readonly string[]): string | null {
  return programs.flatMap(pathsOf).find((path) => runs(path, words)) ?? null;
}

/** The full path that a shell finds for this name; `null` if there is none or it does not run. */
export function which(program: string): string | null {
  const [path] = pathsOf(program);
  return path !== undefined && runs(path, SIMPLEST[program] ?? ["--version"]) ? path : null;
}

/** The reason to skip a test that needs these programs; `null` if all run. */
export function needs(...programs: string[]): string | null {
  const missing = programs
    .filter((program) => which(program) === null)
    .map(
      (program) =>
        pathsOf(program).map((path) => `${program} that runs with a HOME of its own (not ${path})`)[0] ?? program,
    );
  return missing.length === 0 ? null : `needs ${missing.join(", ")}`;
}

/** The reason to skip a test that needs this version of one program, by name or path. */
export function needsVersion(program: string, least: number): string | null {
  const [path = program] = pathsOf(program);
  const version = /\d+/.exec(ran(path, ["--version"]).stdout)?.[0] ?? null;
  return version !== null && Number(version) >= least ? null : `needs ${program} ${least} or newer`;
}

function pathsOf(program: string): readonly string[] {
  const paths = isAbsolute(program) ? [program] : TOOL_PATH.split(delimiter).map((folder) => join(folder, program));
  return [...new Set(paths)].filter((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function runs(path: string, words: readonly string[]): boolean {
  const key = JSON.stringify([path, ...words]);
  const answer = known.get(key) ?? ran(path, words).status === 0;
  known.set(key, answer);
  return answer;
}

/** Runs as in `runTool`, in a new folder that is also its HOME. */
function ran(path: string, words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "weir-tool-"));
  try {
    return spawnSync(path, words, {
      cwd: folder,
      env: toolEnvironment(folder),
      timeout: LIMIT,
      encoding: "utf8",
      input: "",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
