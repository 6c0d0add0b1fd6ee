import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { Milliseconds } from "../../../src/engine/model/units.ts";

/*
 * The only file that starts processes. It starts only programs of our own, by full path, with an array of arguments and
 * without a shell.
 */

/** Variables that would change which system certificates the new process sees. */
const LEFT_OUT = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** The most bytes of output. A system's store has some hundred certificates of 2 KB. */
const MOST_OUTPUT = 16 * 1024 * 1024;

/** The output of a short script in a new Node process; `null` if it fails or takes too long. */
export function freshNode(script: string, limit: Milliseconds): Promise<string | null> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEFT_OUT.includes(name)));
  const options = { env, timeout: limit, maxBuffer: MOST_OUTPUT, windowsHide: true };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--eval", script], options, (error, output) => resolve(error === null ? output : null));
  });
}

/** A Node process of our own that runs a short script. */
interface ScriptProcess {
  send(message: object): void;
  kill(): void;
}

/**
 * Starts a short script in a new Node process, with `threads` threads for its look-ups and files. `onMessage` gets what
 * the script sends; `onEnd` is called once, also if the process cannot be started.
 */
export function startScript<Message>(
  script: string,
  threads: number,
  onMessage: (message: Message) => void,
  onEnd: () => void,
): ScriptProcess {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--eval", script], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...inherited, UV_THREADPOOL_SIZE: String(threads) },
    windowsHide: true,
  });
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  child.on("error", end).on("exit", end);
  child.on("message", (message) => onMessage(message as Message));
  return {
    // A message to a process that has ended is lost; `onEnd` follows.
    send: (message) => void child.send(message, () => {}),
    kill: () => child.kill("SIGKILL"),
  };
}

/** Starts a window in a process of its own, with `variables` added to Weir's environment. */
export function startWindow(
  program: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): ChildProcess {
  // The class of the window, as that of the main one (scripts/launch.ts).
  return spawn(program, words, { argv0: "weir-window", stdio: "ignore", env: { ...process.env, ...variables } });
}
