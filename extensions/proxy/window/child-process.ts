import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { Milliseconds } from "../../../src/engine/model/units.ts";

/*
 * The only file of ours that starts processes: our own programs by their full path, with an array of arguments and no shell.
 */

/** Variables by which the fresh process would say something else than the system does. */
const LEFT_OUT = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** Our choice: a system's store holds some hundred certificates of 2 KB. */
const MOST_OUTPUT = 16 * 1024 * 1024;

/** What a short script prints in a new process of our own Node; `null` when it fails or takes too long. */
export function freshNode(script: string, limit: Milliseconds): Promise<string | null> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEFT_OUT.includes(name)));
  const options = { env, timeout: limit, maxBuffer: MOST_OUTPUT, windowsHide: true };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--eval", script], options, (error, output) => resolve(error === null ? output : null));
  });
}

/** A window of ours as a process of its own: the shell's program, with these variables besides our own. */
export function startWindow(
  program: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(program, words, { stdio: "ignore", env: { ...process.env, ...variables } });
}
