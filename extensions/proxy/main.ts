import { randomBytes } from "node:crypto";
import type { ProxyState } from "../../src/engine/messages/status-messages.ts";
import { hostPort } from "../../src/engine/model/host-port.ts";
import { exportedFiles } from "./certificates/export.ts";
import { upstreamRoots } from "./certificates/upstream-roots.ts";
import { closeWindow, notifyShutdown } from "./channel/shutdown-notice.ts";
import { DataPlane } from "./data-plane.ts";
import { type Arguments, argumentsOf, givenWords, LISTEN } from "./process/arguments.ts";
import { readEngineHandoff } from "./process/engine-handoff.ts";
import { BAD_USAGE, CA_UNUSABLE, DATA_FOLDER_UNUSABLE, INTERNAL_ERROR, PORT_TAKEN } from "./process/exit-codes.ts";
import { nativeShell, resourcesFolder } from "./process/own-files.ts";
import { Shutdown } from "./process/shutdown.ts";
import { openSigningRoot, publicRootOf, renewSigningRoot } from "./process/signing-root.ts";
import { defaultDataFolder, openDataFolder } from "./storage/data-folder.ts";
import { awaitLock, type Lock, type Owner, takeLock } from "./storage/lock.ts";
import { Log } from "./storage/log.ts";
import { clearTemporaries } from "./storage/private-file.ts";
import { onSecondStart, signalRunningInstance } from "./storage/running-instance.ts";
import type { NeutralinoConnection } from "./threads.ts";
import { VERSION } from "./version.ts";

const GIVEN_ROOT =
  "This root certificate was given with --ca-cert. To replace it, start Weir with another one, or without --ca-cert.";

/**
 * Default; not from a specification: ms to wait for the end of an earlier extension. docs/security.md R10 gives it 2 s
 * after its window has closed; the rest is for a busy machine.
 */
const EXTENSION_GONE = 5_000;

await start();

async function start(): Promise<void> {
  // The program that reads our output may exit first. That is no error, and reporting it would fail as well.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const words = givenWords(process.argv.slice(2), process.env["WEIR_ARGUMENTS"]);
  const options = typeof words === "string" ? words : argumentsOf(words);
  // Read even if the arguments are invalid, because a waiting window must show the problem.
  const standalone = typeof words !== "string" && words.includes("--standalone");
  const neutralino = standalone ? null : await handover();
  if (typeof options === "string") return exitWith(BAD_USAGE, options, neutralino);
  if (neutralino === null && !options.standalone) {
    return exitWith(BAD_USAGE, "This program is started by Weir's window, or by hand with --standalone.", null);
  }
  await run(options, neutralino);
}

/**
 * Neutralino's handoff; `null` if there is none. A terminal is not read: it never sends a handoff, and reading would
 * block.
 */
async function handover(): Promise<NeutralinoConnection | null> {
  return process.stdin.isTTY ? null : readEngineHandoff(process.stdin);
}

async function run(options: Arguments, neutralino: NeutralinoConnection | null): Promise<void> {
  const quit = (code: number, sentence: string) => exitWith(code, sentence, neutralino);
  const failed = (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    void quit(INTERNAL_ERROR, `Weir could not start: ${error.message}.`).finally(() => process.exit());
  };
  process.on("uncaughtException", failed);

  // A native window has no command line on which another folder could be chosen.
  const another = options.standalone ? " --data-dir chooses another folder." : "";
  const folder = openDataFolder(options.dataDir ?? defaultDataFolder());
  if (folder.kind === "unusable") return quit(DATA_FOLDER_UNUSABLE, folder.reason + another);
  const lock = options.afterWindow ? await awaitLock(folder.path, EXTENSION_GONE) : takeLock(folder.path);
  if (lock.kind === "unusable") return quit(DATA_FOLDER_UNUSABLE, lock.reason + another);
  if (lock.kind === "taken") {
    if (options.json) process.stdout.write(`${JSON.stringify({ taken: true })}\n`);
    await exitWith(0, runningAlready(folder.path, lock.owner), null);
    // If the new window never opened, the running instance does not come to the front.
    if (neutralino === null || (await closeWindow(neutralino))) signalRunningInstance(folder.path);
    return;
  }
  const log = new Log(folder.path, options.logLevel);
  const tidied = clearTemporaries(folder.path);
  if (tidied !== null) log.write(tidied);

  const opened = openSigningRoot(options.ca, folder.path);
  if (typeof opened === "string") return quit(CA_UNUSABLE, opened);
  const upstreamCa = upstreamRoots(options.upstreamCa);
  if (typeof upstreamCa === "string") return quit(BAD_USAGE, `--upstream-ca: ${upstreamCa}`);

  const ticket = randomBytes(32).toString("base64url");
  const host = neutralino === null ? "browser" : "native";
  const plane = new DataPlane({
    root: opened.root,
    renewRoot: () => (options.ca === null ? renewSigningRoot(folder.path) : GIVEN_ROOT),
    publicRoot: (root) => publicRootOf(root, folder.path, options.ca === null),
    upstreamCa,
    address: options.listen,
    port: options.port,
    hostOverrides: options.hostOverrides,
    reversePorts: options.reversePorts,
    debug: options.logLevel === "debug" ? (line) => log.write(line) : undefined,
    worker: {
      version: VERSION,
      dataDir: folder.path,
      resources: resourcesFolder(),
      ticket,
      host,
      notices: opened.notices,
      neutralino,
    },
    shell: neutralino === null ? null : nativeShell(),
    onTrouble: (trouble) => log.write(trouble),
    onShown: () => {
      if (options.json) process.stdout.write(`${JSON.stringify({ shown: true })}\n`);
    },
    onEnd: (reason) => ending.start(reason === null ? 0 : INTERNAL_ERROR, reason),
  });
  const ending = new Shutdown({ plane, lock: lock.lock, log, window: neutralino });
  onSecondStart(folder.path, () => {
    plane.show();
    process.send?.("show");
  });
  process.off("uncaughtException", failed);
  ending.installHandlers();

  const { uiPort, proxy, reversePorts, reverseProblem } = await plane.start();
  if (!proxy.running && (options.port !== null || options.listen !== LISTEN))
    return ending.start(PORT_TAKEN, `${proxy.problem ?? "The proxy cannot listen."} ${otherPlace(options)}`);
  if (reverseProblem !== null) return ending.start(PORT_TAKEN, `${reverseProblem} Name another port with --reverse.`);
  const ui = `http://127.0.0.1:${uiPort}/`;
  announce(lock.lock, ui, hostPort(proxy.address, proxy.port));
  if (options.json)
    process.stdout.write(`${JSON.stringify(readyLine({ host, proxy, reversePorts, ui, ticket }, folder.path))}\n`);
  setImmediate(() => plane.prepare());
}

/** Ends a start that failed. The sentence goes to stderr and to the waiting window. */
async function exitWith(code: number, sentence: string, window: NeutralinoConnection | null): Promise<void> {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = code;
  process.disconnect?.();
  if (window !== null) await notifyShutdown(window, sentence);
}

/** A sentence that names the arguments for another place to listen. Leaves out --port if any port would do. */
function otherPlace({ port, listen }: Arguments): string {
  const address = "--listen chooses another address.";
  if (port === null || port === 0) return address;
  const place = "--port chooses another port, and --port 0 any free port.";
  return listen === LISTEN ? place : `${place} ${address}`;
}

function runningAlready(folder: string, owner: Owner | null): string {
  const who = owner === null ? "" : `, as process ${owner.pid}`;
  const where = (owner?.proxy ?? null) === null ? "" : ` Its proxy listens on ${owner?.proxy}.`;
  return `Weir runs already with the data folder ${folder}${who}.${where}`;
}

/** Writes what a second start tells the user about this one. */
function announce(lock: Lock, ui: string, proxy: string): void {
  lock.announce({ pid: process.pid, startedAt: performance.timeOrigin, proxy, ui });
}

interface Started {
  readonly host: "native" | "browser";
  readonly proxy: ProxyState;
  readonly reversePorts: readonly string[];
  /** URL of the UI on the loopback server. */
  readonly ui: string;
  readonly ticket: string;
}

/** The line of `--json` (docs/specification.md). */
function readyLine({ host, proxy, reversePorts, ui, ticket }: Started, folder: string) {
  const files = exportedFiles(folder);
  return {
    ready: true,
    host,
    proxy: { host: proxy.address, port: proxy.port },
    reverse: reversePorts,
    ui: `${ui}#ticket=${ticket}`,
    hub: `${ui}hub.html#ticket=${ticket}`,
    ca: files.pem,
    caBundle: files.bundle,
    dataDir: folder,
    version: VERSION,
  };
}
