import { randomBytes } from "node:crypto";
import type { Notice, ProxyState } from "../../src/engine/messages/status-messages.ts";
import { hostPort } from "../../src/engine/model/host-port.ts";
import { failure, type Result } from "../../src/engine/model/result.ts";
import type { Milliseconds } from "../../src/engine/model/units.ts";
import { exportedFiles } from "./certificates/export.ts";
import { upstreamRoots } from "./certificates/upstream-roots.ts";
import { DataPlane } from "./data-thread/data-plane.ts";
import { type Arguments, argumentsOf, LISTEN, uiPortOf } from "./process/arguments.ts";
import { CLOCK } from "./process/clock.ts";
import { readEngineHandoff } from "./process/engine-handoff.ts";
import { BAD_USAGE, CA_UNUSABLE, DATA_FOLDER_UNUSABLE, INTERNAL_ERROR, PORT_TAKEN } from "./process/exit-codes.ts";
import { collectWhenIdle, trimWhenIdle } from "./process/idle-collection.ts";
import { limitThreadsByThemselves } from "./process/node-flags.ts";
import { nativeShell, resourcesFolder } from "./process/own-files.ts";
import { Shutdown } from "./process/shutdown.ts";
import { openSigningRoot, publicRootOf, renewSigningRoot } from "./process/signing-root.ts";
import { watchWindow } from "./process/window-watch.ts";
import { defaultDataFolder, openDataFolder } from "./storage/data-folder.ts";
import { awaitLock, type Owner, onSecondStart, ownerOf, signalRunningInstance, takeLock } from "./storage/lock.ts";
import { clearTemporaries } from "./storage/private-file.ts";
import { ProgramLog } from "./storage/program-log.ts";
import type { EngineHandoff, NeutralinoConnection } from "./threads.ts";
import { VERSION } from "./version.ts";
import { closeWindow, notifyShutdown } from "./window/shutdown-notice.ts";

/** Said in the terminal. */
const CONTINUED = "Weir's engine ended unexpectedly, and was started again. It continues its session.";

const PAGE_LOST =
  "The native window's web view has crashed. Weir goes on, and opens in a browser; the window's end ends it.";

/** docs/security.md S5: a notice for as long as clients from the network may reach private addresses. */
const PRIVATE_TARGETS: Notice = {
  id: "private-targets",
  severity: "warning",
  text: "Weir was started with --allow-private-targets: clients from the network reach private addresses through it.",
  advice: null,
};

const GIVEN_ROOT =
  "This root certificate was given with --ca-cert. To replace it, start Weir with another one, or without --ca-cert.";

/**
 * Ms to wait for the end of an earlier extension. docs/security.md R10 gives the extension 2 s after its window has
 * closed; the rest is for a busy machine.
 */
const EXTENSION_GONE = 5_000;

/** Options of `startEngine`: callbacks for its stages, and `echo`. */
export interface Starter {
  /** Milliseconds within which two signals count as one. */
  readonly echo: Milliseconds;
  /**
   * Called when both threads run, and the proxy listens or has failed to listen at its default address. `hasContinued`:
   * whether this process took over from a killed one.
   */
  readonly ready?: (facts: ReadyFacts, hasContinued: boolean) => void;
  /** Called if another Weir uses the data folder, after the user was told so. The exit code is then set. */
  readonly taken?: () => void;
  /** Whether a process that was killed is continued: its session, ports and ticket. */
  readonly continues?: boolean;
  readonly shown?: () => void;
  readonly pageLost?: () => void;
  /** Called when Weir was started again, to show the window. */
  readonly show?: () => void;
}

/** The line of `--json` (docs/specification.md). */
export type ReadyFacts = ReturnType<typeof readyFacts>;

/** Runs Weir. `words`: its arguments. */
export async function startEngine(words: Result<readonly string[]>, starter: Starter): Promise<void> {
  // The program that reads our output may exit first. That is no error, and reporting it would fail as well.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const options = words.ok ? argumentsOf(words.value) : words;
  // The handoff is read even if the arguments are invalid, because a waiting window must show the problem.
  const standalone = words.ok && words.value.includes("--standalone");
  const neutralino = standalone ? null : await handover();
  if (!options.ok) return exitWith(BAD_USAGE, options.problem, neutralino);
  if (neutralino === null && !options.value.standalone) {
    return exitWith(BAD_USAGE, "This program is started by Weir's window, or by hand with --standalone.", null);
  }
  await run(options.value, neutralino, starter);
}

/**
 * Neutralino's handoff; `null` if there is none. A terminal is not read: it never sends a handoff, and reading would
 * block.
 */
async function handover(): Promise<NeutralinoConnection | null> {
  return process.stdin.isTTY ? null : readEngineHandoff(process.stdin);
}

async function run(options: Arguments, neutralino: NeutralinoConnection | null, starter: Starter): Promise<void> {
  const quit = (code: number, sentence: string) => exitWith(code, sentence, neutralino);
  const failed = (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    void quit(INTERNAL_ERROR, `Weir could not start: ${error.message}.`).finally(() => process.exit());
  };
  process.on("uncaughtException", failed);
  limitThreadsByThemselves();
  collectWhenIdle();
  trimWhenIdle();

  // A native window has no command line on which another folder could be chosen.
  const another = options.standalone ? " --data-dir chooses another folder." : "";
  const found = openDataFolder(options.dataDir ?? defaultDataFolder());
  if (!found.ok) return quit(DATA_FOLDER_UNUSABLE, found.problem + another);
  const folder = found.value;
  const left = starter.continues === true ? ownerOf(folder) : null;
  const taken = options.afterWindow ? await awaitLock(folder, EXTENSION_GONE) : takeLock(folder);
  if (!taken.ok) return quit(DATA_FOLDER_UNUSABLE, taken.problem + another);
  const lock = taken.value;
  if (lock.kind === "taken") {
    await exitWith(0, runningAlready(folder, lock.owner), null);
    starter.taken?.();
    // If the new window never opened, the running instance stays in the background.
    if (neutralino === null || (await closeWindow(neutralino))) signalRunningInstance(folder);
    return;
  }
  const log = new ProgramLog(folder, options.logLevel);
  const tidied = clearTemporaries(folder);
  if (tidied !== null) log.write(tidied);

  const opened = openSigningRoot(options.ca, folder);
  if (!opened.ok) return quit(CA_UNUSABLE, opened.problem);
  const upstreamCa = upstreamRoots(options.upstreamCa);
  if (!upstreamCa.ok) return quit(BAD_USAGE, `--upstream-ca: ${upstreamCa.problem}`);

  /** Stores what a second start, commands in a terminal and a start after a kill need to know of this process. */
  let announce: (isPaused: boolean) => unknown = () => {};
  const ticket = left?.ticket ?? randomBytes(32).toString("base64url");
  const host = neutralino === null ? "browser" : "native";
  const plane = new DataPlane({
    root: opened.value.root,
    renewRoot: () => (options.ca === null ? renewSigningRoot(folder) : failure(GIVEN_ROOT)),
    publicRoot: (root) => publicRootOf(root, folder, options.ca === null),
    upstreamCa: upstreamCa.value,
    address: options.listen,
    port: portOf(left?.proxy ?? null) ?? options.port,
    handoff: left === null ? null : handoffOf(left),
    given: options,
    debug: options.logLevel === "debug" ? (line) => log.write(line) : undefined,
    worker: {
      version: VERSION,
      dataDir: folder,
      resources: resourcesFolder(),
      ticket,
      uiPort: uiPortOf(options),
      uiHostName: options.uiHostName,
      host,
      notices: [...opened.value.notices, ...(options.allowPrivateTargets ? [PRIVATE_TARGETS] : [])],
      neutralino,
    },
    shell: neutralino === null ? null : nativeShell(),
    onTrouble: (trouble) => log.write(trouble),
    onShown: () => starter.shown?.(),
    onPageLost: () => {
      log.write(PAGE_LOST);
      process.stderr.write(`${PAGE_LOST}\n`);
      starter.pageLost?.();
    },
    onPaused: (isPaused) => announce(isPaused),
    onEnd: (reason) => ending.start(reason === null ? 0 : INTERNAL_ERROR, reason),
  });
  const ending = new Shutdown({ plane, lock: lock.lock, log, window: neutralino, echo: starter.echo });
  onSecondStart(folder, () => {
    plane.show();
    starter.show?.();
  });
  process.off("uncaughtException", failed);
  ending.installHandlers();
  if (neutralino !== null) watchWindow(process.env["WEIR_WINDOW_PID"], () => plane.endWithWindow());

  const { uiPort, proxy, reversePorts, transparentPorts, portProblem } = await plane.start();
  if (!proxy.running && (options.port !== null || options.listen !== LISTEN))
    return ending.start(PORT_TAKEN, `${proxy.problem ?? "The proxy cannot listen."} ${otherAddress(options)}`);
  if (portProblem !== null) return ending.start(PORT_TAKEN, portProblem);
  if (options.uiPort !== null && options.uiPort !== 0 && uiPort !== options.uiPort)
    return ending.start(PORT_TAKEN, `Port ${options.uiPort} is taken. --ui-port chooses another port for the window.`);
  const ui = `http://127.0.0.1:${uiPort}/`;
  announce = (paused) =>
    lock.lock.announce({ pid: process.pid, proxy: hostPort(proxy.address, proxy.port), ui, ticket, paused });
  announce(left?.paused ?? false);
  if (left !== null) {
    log.write(CONTINUED);
    process.stderr.write(`${CONTINUED}\n`);
  }
  starter.ready?.(readyFacts({ host, proxy, reversePorts, transparentPorts, ui, ticket }, folder), left !== null);
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
function otherAddress({ port, listen }: Arguments): string {
  const address = "--listen chooses another address.";
  if (port === null || port === 0) return address;
  const advice = "--port chooses another port, and --port 0 any free port.";
  return listen === LISTEN ? advice : `${advice} ${address}`;
}

function runningAlready(folder: string, owner: Owner | null): string {
  const who = owner === null ? "" : `, as process ${owner.pid}`;
  const where = (owner?.proxy ?? null) === null ? "" : ` Its proxy listens on ${owner?.proxy}.`;
  return `Weir already runs with the data folder ${folder}${who}.${where}${windowOf(owner)}`;
}

/** The window's address; with its ticket only where a person reads it (docs/security.md S1). */
function windowOf(owner: Owner | null): string {
  if (owner === null || owner.ui === null) return "";
  const ticket = process.stderr.isTTY && owner.ticket !== null ? `#ticket=${owner.ticket}` : "";
  return ` Its window is at ${owner.ui}${ticket}`;
}

/** What a killed process leaves to this one. */
function handoffOf({ ui, paused }: Owner): EngineHandoff {
  const pause = paused ? { since: CLOCK.now(), passed: 0 } : null;
  return { of: "process", uiPort: ui === null ? 0 : Number(new URL(ui).port), pause, hubOrigin: null };
}

/** The port of `host:port`; `null` without one. */
function portOf(address: string | null): number | null {
  const port = Number(address?.split(":").at(-1));
  return Number.isInteger(port) && port > 0 ? port : null;
}

interface Started {
  readonly host: "native" | "browser";
  readonly proxy: ProxyState;
  /** The open reverse ports, as `port=origin`. */
  readonly reversePorts: readonly string[];
  /** The open transparent ports, as their entries. */
  readonly transparentPorts: readonly string[];
  /** URL of the UI on the loopback server. */
  readonly ui: string;
  readonly ticket: string;
}

function readyFacts({ host, proxy, reversePorts, transparentPorts, ui, ticket }: Started, folder: string) {
  const files = exportedFiles(folder);
  return {
    ready: true,
    host,
    proxy: { host: proxy.address, port: proxy.port },
    reverse: reversePorts,
    transparent: transparentPorts,
    ui: `${ui}#ticket=${ticket}`,
    hub: `${ui}hub.html#ticket=${ticket}`,
    ca: files.pem,
    caBundle: files.bundle,
    dataDir: folder,
    version: VERSION,
  };
}
