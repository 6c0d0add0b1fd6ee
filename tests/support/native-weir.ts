import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { PageClient, type PageLink } from "./page-client.ts";
import { builtApp, type Ready } from "./running-weir.ts";

const APP = fileURLToPath(new URL("../../build", import.meta.url));
const FAKE = fileURLToPath(new URL("./fake-neutralino.ts", import.meta.url));
const FAULT = new URL("./engine-fault.ts", import.meta.url).href;

/** docs/security.md R10: the time within which the extension exits after its window. */
const GONE_WITHIN = 2_000;

/** The polling interval. Default; not from a specification. */
const LOOK = 10;

/** The real Neutralino program, if the tests are given one. */
const REAL = process.env["WEIR_NEUTRALINO"];

/** Why a test that acts as the page is skipped; `null` if it can run. */
export const needsFake = REAL === undefined ? null : "plays the page of the fake Neutralino";

/** Why a test is skipped where the fake cannot replace the shell. */
export const needsShell = process.platform === "win32" ? "needs a POSIX shell" : null;

/** Weir started by Neutralino or its fake, from the app folder that ships. */
export interface NativeWeir {
  readonly shell: ChildProcess;
  readonly dataDir: string;
  /** The extension's ready line. */
  readonly ready: Promise<Ready>;
  /** Standard error so far. */
  readonly complaints: () => string;
  /** The fake's lines about calls of this native method so far. */
  readonly calls: (method: string) => readonly unknown[];
  /** A page client in place of the window, already connected. Only with the fake. */
  page(): Promise<PageClient>;
  /** The address of the fake's page. */
  address(): Promise<string>;
  /** Makes the engine thread fail. Needs `faults`. */
  fail(): Promise<void>;
  /** Sends the shell this signal and waits for its exit. */
  end(signal: NodeJS.Signals): Promise<void>;
}

interface NativeOptions {
  readonly dataDir: string;
  readonly words?: readonly string[];
  /** Allows `fail`. */
  readonly faults?: boolean;
  readonly app?: string;
  /** Added to this process's environment, last. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function nativeWeir({
  dataDir,
  words = [],
  faults = false,
  app = APP,
  env = {},
}: NativeOptions): Promise<NativeWeir> {
  if (app === APP) await builtApp();
  const order = join(dataDir, "..", "fail-now");
  const shell = spawn(
    REAL ?? process.execPath,
    [...(REAL === undefined ? [FAKE] : []), "--load-dir-res", `--path=${app}`],
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

/** The app folder that ships, except the command that starts the extension. Build it first. */
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

/** Runs the bundle alone, without a window or a reader of its output; returns its exit code. */
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

/**
 * Resolves once no process has this id; throws after `GONE_WITHIN`, counted in event-loop turns, so a busy machine
 * takes longer.
 */
export async function gone(pid: number): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += LOOK) {
    if (waited > GONE_WITHIN) throw new Error(`process ${pid} is alive after ${GONE_WITHIN} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** An ended process does not count, even before the system's init has reaped it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    // The first thread may end before the others, which hold files until they end too.
    const hasEnded = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return !hasEnded || readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** Whether a server listens at this address. */
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
 * Like the client library: the token from the globals, every message a dispatch, queued until the extension is
 * connected. Like our page, it greets the next extension when one has gone.
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

/** The page's session storage, by address. */
const tokens = new Map<string, string>();
