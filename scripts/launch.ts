import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ReadyFacts } from "../extensions/proxy/engine.ts";
import { argumentsOf } from "../extensions/proxy/process/arguments.ts";
import { DATA_FOLDER_UNUSABLE, SHOW } from "../extensions/proxy/process/exit-codes.ts";
import { NODE_FLAGS, NODE_VARIABLES } from "../extensions/proxy/process/node-flags.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { ownerOf } from "../extensions/proxy/storage/lock.ts";
import { openPage } from "./browser-window.ts";
import { endOf, endWithParent } from "./child-end.ts";
import { helpOf, listedBy } from "./command-help.ts";
import type { Demo } from "./demo.ts";
import { nativeBinary } from "./native-binary.ts";
import { scriptUrl } from "./script-url.ts";
import { hasNode } from "./stale.mjs";
import { supervised } from "./supervision.ts";
import { announce, announceInBrowser, OWN_WORDS, type Reporting, reportingOf, sayIneffective } from "./terminal.ts";
import { windowEnd } from "./window-end.ts";

const NO_LINK = "a native window needs a link to Node in Weir's folder, which cannot be written";

const APP = fileURLToPath(new URL("../build", import.meta.url));
const ENGINE = fileURLToPath(new URL("../build/extensions/proxy/main.mjs", import.meta.url));
const SUPERVISOR = fileURLToPath(new URL("../build/extensions/proxy/supervisor.mjs", import.meta.url));
const ENGINE_SOURCE = fileURLToPath(new URL("../extensions/proxy/main.ts", import.meta.url));

/**
 * Where there is no graphics processor, WebKitGTK's renderer with shared buffers takes 100 MiB more for the same
 * picture. The user's own value goes before.
 */
const WITHOUT_GPU: NodeJS.ProcessEnv =
  process.platform === "linux" && !existsSync("/dev/dri") ? { WEBKIT_DISABLE_DMABUF_RENDERER: "1" } : {};

/** Time limit in ms for a start in the background. */
const START_LIMIT = 60_000;

/**
 * The lines that the engine prints if another Weir uses the data folder, and if the native window's page has crashed.
 */
const TAKEN = '{"taken":true}';
const PAGE_LOST = '{"pageLost":true}';

interface Start extends Reporting {
  /** Arguments as the user typed them. */
  readonly typed: readonly string[];
  readonly own: ReadonlySet<string>;
  /** Arguments for the engine. */
  readonly words: readonly string[];
  readonly demo: Demo | null;
  readonly dataFolder: string;
  /** Called if another Weir uses the data folder. */
  readonly onTaken: () => void;
}

/** Starts Weir in the window or the browser; Weir must be built already. Returns the exit code. */
export async function launch(words: readonly string[]): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) {
    console.log(helpOf("start"));
    return 0;
  }
  const own = new Set(words.filter((word) => OWN_WORDS.includes(word)));
  const rest = words.filter((word) => !OWN_WORDS.includes(word));
  const checked = argumentsOf(rest);
  if (!checked.ok) {
    console.error(`${checked.problem}\n${listedBy("start")}`);
    return 2;
  }
  if (own.has("--demo") && own.has("--background")) {
    console.error("--demo sends its traffic from this terminal, so it cannot be combined with --background.");
    return 2;
  }
  const demo = own.has("--demo") ? await startedDemo() : null;
  const engineWords = [...rest.filter((word) => word !== "--json"), "--json", ...(demo?.words ?? [])];
  let isTaken = false;
  try {
    const onTaken = () => {
      isTaken = true;
    };
    const dataFolder = checked.value.dataDir ?? defaultDataFolder();
    const start = { ...reportingOf(checked.value), typed: words, own, words: engineWords, demo, dataFolder, onTaken };
    const code = await run(start);
    // The engine has ended, so this sentence follows the engine's own sentence.
    if (isTaken) sayIneffective(words);
    // A caller that waits for the ready line would wait in vain, so the exit code is an error.
    return isTaken && checked.value.json ? DATA_FOLDER_UNUSABLE : code;
  } finally {
    await demo?.stop();
  }
}

/** Starts the demo. Loaded only when needed, because the demo imports the engine's code for certificates. */
async function startedDemo(): Promise<Demo> {
  const { startDemo } = (await import(scriptUrl("demo", import.meta.url).href)) as typeof import("./demo.ts");
  return startDemo();
}

async function run(start: Start): Promise<number> {
  const { say } = start;
  if (start.own.has("--background")) return inBackground(start);
  endWithParent();
  const stronger = ["--no-open", "--browser"].find((word) => start.own.has(word));
  if (stronger !== undefined) {
    if (start.own.has("--native")) say(`--native has no effect with ${stronger}: no native window is opened.`);
    return inBrowser(start);
  }
  // After an error, such as a full disk or an unwritable cache folder, the browser is used.
  const binary = await (hasNode() ? nativeBinary(say) : Promise.reject(new Error(NO_LINK))).catch((error: Error) => ({
    path: null,
    reason: `${error.message}.`,
  }));
  if (binary.path === null) {
    if (start.own.has("--native")) {
      console.error(`No native window: ${binary.reason}`);
      return 70;
    }
    say(`Weir opens in a browser: ${binary.reason}`);
    return inBrowser(start);
  }
  const code = await inNativeWindow(binary.path, start);
  if (code !== null) return code;
  if (start.own.has("--native")) return 70;
  say("Weir opens in a browser: the native window did not appear (perhaps there is no display or no web view).");
  const after = "--after-window";
  return inBrowser({ ...start, typed: [...start.typed, after], words: [...start.words, after] });
}

/**
 * Runs Weir in the native window. Returns the exit code, or `null` if the window failed before its page was shown.
 * Neutralino itself starts Weir's extension, so arguments are passed in the environment.
 */
async function inNativeWindow(binary: string, start: Start): Promise<number | null> {
  let isShown = false;
  let openInBrowser = () => {};
  const window = spawn(binary, ["--load-dir-res", `--path=${APP}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...WITHOUT_GPU,
      ...process.env,
      WEIR_ARGUMENTS: JSON.stringify(start.words),
      WEIR_NATIVE: binary,
    },
    // GTK takes the window's class from it; a package's program has this name.
    argv0: "weir-window",
    // A group of its own, for the processes of the web view.
    detached: process.platform !== "win32",
  });
  const ended = endOf(window);
  const shown = new Promise<void>((resolve) => {
    onReady(
      window,
      start,
      (ready) => {
        announce(start, ready);
        openInBrowser = () => openPage(ready.ui, ready.dataDir, start.say);
        void shown.then(() => {
          if (!start.json) console.log("Weir's native window is open. To end Weir, close the window or press Ctrl+C.");
          void start.demo?.begin({ ...ready.proxy, ca: ready.ca });
        });
      },
      () => {
        isShown = true;
        resolve();
      },
      () => openInBrowser(),
    );
  });
  const code = await ended.catch((error: Error) => {
    start.say(`The native window could not be started: ${error.message}`);
    return 1;
  });
  endRest(window);
  const end = windowEnd(code, isShown);
  if (end?.said) console.error(end.said);
  return end?.code ?? null;
}

/**
 * Ends what a window leaves: processes of the web view, which outlive it by seconds and hold its output open. The
 * engine has a group of its own.
 */
function endRest(window: ChildProcess): void {
  window.stdout?.destroy();
  if (process.platform === "win32" || window.pid === undefined) return;
  try {
    process.kill(-window.pid, "SIGTERM");
  } catch {
    // Nothing is left.
  }
}

/**
 * Runs Weir with its page in a browser, and returns the exit code. Without `--demo` and `--dev`, and not on Windows,
 * this process becomes the supervisor, and the function does not return.
 */
async function inBrowser(start: Start): Promise<number> {
  const isDev = start.own.has("--dev");
  if (process.platform !== "win32" && start.demo === null && !isDev) {
    const words = [process.execPath, SUPERVISOR, "foreground", start.dataFolder, ...start.typed];
    process.execve?.(process.execPath, words, environment());
  }
  const entry = isDev ? ENGINE_SOURCE : ENGINE;
  let show = () => {};
  const ready = (facts: ReadyFacts) => {
    const isClosed = start.own.has("--no-open");
    announceInBrowser(start, facts, isClosed);
    if (!isClosed) {
      show = () => openPage(facts.ui, facts.dataDir, start.say);
      show();
    }
    void start.demo?.begin({ ...facts.proxy, ca: facts.ca });
  };
  return supervised((run) => {
    // The engine has a process group of its own, so that Ctrl+C reaches it once, through this process. The ipc channel
    // closes when this process exits.
    const engine = spawn(process.execPath, [...NODE_FLAGS, entry, "--standalone", ...start.words], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      env: { ...environment(), WEIR_RUN: run },
      detached: process.platform !== "win32",
    });
    onReady(engine, start, ready);
    // A second start found this Weir, and its user wants to see the page.
    engine.on("message", (message) => {
      if (message === SHOW) show();
    });
    return engine;
  }, console.error);
}

/**
 * Starts Weir in the background. Returns when Weir is ready or has failed. Weir then runs on, detached from the
 * terminal.
 */
async function inBackground(start: Start): Promise<number> {
  const isWindows = process.platform === "win32";
  const words = ["--standalone", ...start.words];
  const program = isWindows
    ? [...NODE_FLAGS, ENGINE, ...words]
    : [SUPERVISOR, "background", start.dataFolder, ...words];
  const weir = spawn(process.execPath, program, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(),
    detached: true,
    windowsHide: true,
  });
  weir.stderr.on("data", (text: Buffer) => process.stderr.write(text));
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    if (isWindows || weir.pid === undefined) weir.kill("SIGKILL");
    else process.kill(-weir.pid, "SIGKILL");
  }, START_LIMIT);
  const exit = once(weir, "close").then(([code]) => Number(code ?? 70));
  const ready = new Promise<null>((resolve) => {
    onReady(weir, start, (value) => {
      announce(start, value);
      const place = value.ui.replace(/#.*/s, "");
      const pid = ownerOf(value.dataDir)?.pid ?? weir.pid;
      start.say(`Weir runs in the background, as process ${pid}, with its window at ${place}`);
      // The ticket is printed only where a start waits in a terminal (docs/security.md S1).
      start.say("In a terminal, weir start prints the address that opens it.");
      resolve(null);
    });
  });
  const code = await Promise.race([ready, exit]);
  clearTimeout(limit);
  if (isLate) console.error(`Weir was not ready within ${START_LIMIT / 1_000} s, and was ended.`);
  weir.stdout.destroy();
  weir.stderr.destroy();
  weir.unref();
  return code ?? 0;
}

/**
 * Calls back for each line of JSON that the engine prints: `ready` when it is ready, `onTaken` if another Weir uses the
 * data folder, `shown` when the native window is shown, `pageLost` when its page has crashed. All other output is
 * passed on to stderr.
 */
function onReady(
  child: ChildProcess,
  { onTaken }: Start,
  ready: (value: ReadyFacts) => void,
  shown = () => {},
  pageLost = () => {},
): void {
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith('{"ready":true')) ready(JSON.parse(line) as ReadyFacts);
    else if (line.startsWith('{"shown":true')) shown();
    else if (line === PAGE_LOST) pageLost();
    else if (line === TAKEN) onTaken();
    else console.error(line);
  });
}

/** This process's variables, which the user's own values go before, and `NODE_VARIABLES`. */
function environment(): NodeJS.ProcessEnv {
  return { ...NODE_VARIABLES, ...process.env };
}
