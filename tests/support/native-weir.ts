import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { listSessions, openSession } from "../../extensions/proxy/storage/stored-sessions.ts";
import { PageClient, type PageLink } from "./page-client.ts";
import { builtApp, type Ready } from "./running-weir.ts";

const APP = fileURLToPath(new URL("../../build", import.meta.url));
/** The fake of Neutralino's program. */
export const FAKE = fileURLToPath(new URL("./fake-neutralino.ts", import.meta.url));
const FAULT = new URL("./engine-fault.ts", import.meta.url).href;

/** docs/security.md R10: milliseconds within which the extension exits after its window was closed. */
const GONE_WITHIN = 2_000;

/** Milliseconds between two checks. */
const LOOK = 10;

/** Path of the real Neutralino program, if the tests are given one. */
const REAL = process.env["WEIR_NEUTRALINO"];

/** Why a test that acts as the page is skipped; `null` if it runs. */
export const needsFake = REAL === undefined ? null : "plays the page of the fake Neutralino";

/** Why a test is skipped in which the fake cannot replace the shell; `null` if it runs. */
export const needsShell = process.platform === "win32" ? "needs a POSIX shell" : null;

/** Weir, started by Neutralino or its fake from the app folder as released. */
export interface NativeWeir {
  readonly shell: ChildProcess;
  readonly dataDir: string;
  /** The extension's ready line. */
  readonly ready: Promise<Ready>;
  /** The text on standard error so far. */
  readonly complaints: () => string;
  /** The lines that the fake printed about calls of this native method so far. */
  readonly calls: (method: string) => readonly unknown[];
  /** A connected page client in place of the window; only with the fake. */
  page(): Promise<PageClient>;
  /** The address of the page that the fake serves. */
  address(): Promise<string>;
  /** Makes the engine's thread fail; only with the option `faults`. */
  fail(): Promise<void>;
  /** Sends the signal to the shell and waits for the shell's exit. */
  end(signal: NodeJS.Signals): Promise<void>;
}

interface NativeOptions {
  readonly dataDir: string;
  readonly words?: readonly string[];
  /** Allows `fail`. */
  readonly faults?: boolean;
  readonly app?: string;
  /** Started in place of the fake, with the same arguments. */
  readonly program?: string;
  /** Added to this process's environment, last. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function nativeWeir({
  dataDir,
  words = [],
  faults = false,
  app = APP,
  program,
  env = {},
}: NativeOptions): Promise<NativeWeir> {
  if (app === APP) await builtApp();
  const order = join(dataDir, "..", "fail-now");
  const isFake = REAL === undefined && program === undefined;
  const shell = spawn(
    program ?? REAL ?? process.execPath,
    [...(isFake ? [FAKE] : []), "--load-dir-res", `--path=${app}`],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        WEIR_ARGUMENTS: JSON.stringify(["--json", "--port", "0", "--data-dir", dataDir, ...words]),
        ...(faults ? { NODE_OPTIONS: `--import=${FAULT}`, WEIR_TEST_ENGINE_FAULT: order } : {}),
        ...env,
      },
    },
  );
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  let complaints = "";
  createInterface({ input: shell.stdout }).on("line", (line) => {
    if (line.startsWith("{")) lines.push(JSON.parse(line) as Record<string, unknown>);
    for (const look of waiting) look();
  });
  shell.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk.toString("utf8");
  });
  const lineWith = (key: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      shell.once("close", (code) => reject(new Error(`the shell ended with ${code}: ${complaints}`)));
      const look = () => {
        const line = lines.find((one) => key in one);
        if (line === undefined) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      look();
    });
  const address = async () => `http://127.0.0.1:${(await lineWith("serves"))["serves"]}`;
  return {
    shell,
    dataDir,
    get ready() {
      return lineWith("ready") as unknown as Promise<Ready>;
    },
    complaints: () => complaints,
    calls: (method) => lines.filter((line) => line["called"] === method).map((line) => line["data"]),
    page: async () => PageClient.over(await windowLink(await address()), ""),
    address,
    fail: () => writeFile(order, ""),
    end: async (signal) => {
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      shell.kill(signal);
      await once(shell, "exit");
    },
  };
}

/** The app folder as released, with another command for the extension. The app must be built already. */
export function appStartedBy(folder: string, change: (command: string) => string): string {
  const config = JSON.parse(readFileSync(join(APP, "neutralino.config.json"), "utf8")) as {
    readonly extensions: readonly {
      readonly id: string;
      readonly commandLinux: string;
      readonly commandDarwin: string;
    }[];
  };
  const extensions = config.extensions.map(({ id, commandLinux, commandDarwin }) => ({
    id,
    commandLinux: change(commandLinux),
    commandDarwin: change(commandDarwin),
  }));
  mkdirSync(folder);
  for (const part of ["extensions", "resources"]) symlinkSync(join(APP, part), join(folder, part));
  writeFileSync(join(folder, "neutralino.config.json"), JSON.stringify({ ...config, extensions }));
  return folder;
}

/** Runs the bundle alone, without a window and without a reader of its output. Returns the exit code. */
export async function extensionAlone(dataDir: string, port: number): Promise<number | null> {
  await builtApp();
  const child = spawn(process.execPath, [join(APP, "extensions", "proxy", "main.mjs")], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, WEIR_ARGUMENTS: JSON.stringify(["--json", "--port", "0", "--data-dir", dataDir]) },
  });
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.end(
    JSON.stringify({ nlPort: String(port), nlToken: "a.b", nlConnectToken: "b", nlExtensionId: "dev.weir.proxy" }),
  );
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

/** The extension's process id, from the data folder. */
export function extensionPid(dataDir: string): number {
  return (JSON.parse(readFileSync(join(dataDir, "owner.json"), "utf8")) as { readonly pid: number }).pid;
}

/** The number of exchanges that the first session's log has on disk. */
export function startedOnDisk(dataDir: string): number {
  const id = listSessions(dataDir)[0]?.id;
  const reader = id === undefined ? null : openSession(dataDir, id);
  if (reader === null || !reader.ok) return 0;
  const started = [...reader.value.events(false)].filter(({ type }) => type === "request-started").length;
  reader.value.close();
  return started;
}

/** The process id of the extension, once it is another one than `earlier`. */
export async function newExtensionPid(dataDir: string, earlier: number): Promise<number> {
  for (;;) {
    if (existsSync(join(dataDir, "owner.json")) && extensionPid(dataDir) !== earlier) return extensionPid(dataDir);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Resolves when no process has this id. Throws after `GONE_WITHIN`, counted in event-loop turns, so that a busy
 * computer gets more time.
 */
export async function gone(pid: number): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += LOOK) {
    if (waited > GONE_WITHIN) throw new Error(`process ${pid} is alive after ${GONE_WITHIN} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** Whether a process runs. A process that has ended does not count, even if its parent has not read its exit code. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    // The first thread may end before the others, and these keep files open until they end.
    const hasEnded = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return !hasEnded || readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** Whether a server listens on this port. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

let lastCall = 0;

/**
 * Connects like Neutralino's client library: takes the token from the globals, sends each message as a dispatch, and
 * queues messages until the extension is connected. Like Weir's page, it greets the next extension after one has ended.
 */
async function windowLink(address: string): Promise<PageLink> {
  const globals = await (await fetch(`${address}/__neutralino_globals.js`)).text();
  const token = /NL_TOKEN="([^"]*)"/.exec(globals)?.[1] || tokens.get(address) || "";
  tokens.set(address, token);
  const socket = new WebSocket(`${address.replace("http", "ws")}?connectToken=${token.split(".")[1]}`);
  await once(socket, "open");
  const extensionId = "dev.weir.proxy";
  const queue: string[] = [];
  let isThere = false;
  const call = (method: string, data: unknown): string => {
    lastCall += 1;
    socket.send(JSON.stringify({ id: String(lastCall), method, accessToken: token, data }));
    return String(lastCall);
  };
  const dispatch = (text: string) => call("extensions.dispatch", { extensionId, event: "weir.toEngine", data: text });
  const arrive = () => {
    isThere = true;
    for (const text of queue.splice(0)) dispatch(text);
  };
  const asked = call("extensions.getStats", {});
  const listeners: ((text: string) => void)[] = [];
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as { id?: string; event?: string; data: unknown };
    if (message.id === asked && JSON.stringify(message.data).includes(`"connected":["${extensionId}"]`)) arrive();
    if (message.event === "extClientConnect") arrive();
    if (message.event === "extClientDisconnect") {
      isThere = false;
      queue.push(JSON.stringify({ type: "hello", ticket: "" }));
    }
    if (message.event === "weir.fromEngine") for (const listener of listeners) listener(String(message.data));
  });
  return {
    send: (text) => {
      if (isThere) dispatch(text);
      else queue.push(text);
    },
    onMessage: (listener) => {
      listeners.push(listener);
    },
    close: () => socket.terminate(),
  };
}

/** The page's session storage, by address of the page. */
const tokens = new Map<string, string>();
