import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { TOOL_PATH, toolEnvironment } from "./tool.ts";

/** Time limit in ms for a tool's answer; a slow tool on a busy computer must not count as missing. */
const LIMIT = 60_000;

/** Arguments with which a program exits without an error, if `--version` is not enough. */
const SIMPLEST: Readonly<Record<string, readonly string[]>> = {
  certutil: ["-N", "--empty-password", "-d", "sql:."],
  go: ["version"],
  gofmt: ["-h"],
  ip: ["-V"],
  keytool: ["-help"],
  openssl: ["version"],
  // Python without TLS, as on a minimal system, cannot be used as a client.
  python3: ["-c", "import ssl"],
  sh: ["-c", ":"],
  unzip: ["-v"],
  WebKitWebDriver: ["--help"],
  Xvfb: ["-help"],
};

/** The results so far. */
const known = new Map<string, boolean>();

/**
 * The full path of the first program that runs with these arguments and without an error, in the environment of
 * `runTool`; `null` if there is none. `programs`: names on the tools' PATH, or paths. A computer may have several
 * programs of one name, and the first may lack libraries.
 */
export function toolFor(programs: readonly string[], words: readonly string[]): string | null {
  return programs.flatMap(pathsOf).find((path) => runs(path, words)) ?? null;
}

/** The full path that a shell finds for this name; `null` if there is none, or it does not run. */
export function which(program: string): string | null {
  const [path] = pathsOf(program);
  return path !== undefined && runs(path, SIMPLEST[program] ?? ["--version"]) ? path : null;
}

/** Why a test that needs these programs is skipped; `null` if all of them run. */
export function needs(...programs: string[]): string | null {
  const missing = programs
    .filter((program) => which(program) === null)
    .map(
      (program) =>
        pathsOf(program).map((path) => `${program} that runs with a HOME of its own (not ${path})`)[0] ?? program,
    );
  return missing.length === 0 ? null : `needs ${missing.join(", ")}`;
}

/**
 * Why a test that needs this version of a program is skipped; `null` if it is installed. `program`: a name or a path.
 */
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

/** Runs a program like `runTool`, in a new folder that is also its HOME. */
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
