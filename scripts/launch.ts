import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { argumentsOf, PREFERRED_PORT } from "../extensions/proxy/process/arguments.ts";
import { DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { firstRequest } from "../src/engine/hub/first-request.ts";
import { hostPort } from "../src/engine/model/host-port.ts";
import { originTextOf, reversePortOf, reverseUrl } from "../src/engine/model/reverse-port.ts";
import { openPage } from "./browser-window.ts";
import { helpOf, listedBy } from "./command-help.ts";
import type { Demo } from "./demo.ts";
import { nativeBinary } from "./native-binary.ts";
import { scriptUrl } from "./script-url.ts";
import { hasNode } from "./stale.mjs";

/** Arguments for this script; all other arguments are the engine's. */
const OWN_WORDS = ["--native", "--browser", "--no-open", "--background", "--demo", "--dev"];

const NO_LINK = "a native window needs a link to Node in Weir's folder, which cannot be written";

const APP = fileURLToPath(new URL("../build", import.meta.url));
const ENGINE = fileURLToPath(new URL("../build/extensions/proxy/main.mjs", import.meta.url));
const ENGINE_SOURCE = fileURLToPath(new URL("../extensions/proxy/main.ts", import.meta.url));

/**
 * Neutralino's exit codes when it was ended on purpose: by SIGINT, by the extension of a second start, by SIGTERM; on
 * Windows, by that extension.
 */
const TOLD_TO_END = [129, 130, 143, 137];

/**
 * Milliseconds within which two signals count as one. Where /bin/sh is bash (macOS, Fedora, Arch), one Ctrl+C arrives
 * twice, from the terminal and from npm, and the engine would take the second for a forced quit. Default; not from a
 * specification.
 */
const ECHO = 100;

/** Longest time in ms for a start in the background. Default; not from a specification. */
const START_LIMIT = 60_000;

/** The parent process at the start. */
const PARENT = process.ppid;
/** Milliseconds between two checks that the parent still runs. Default; not from a specification. */
const LOOK = 1_000;

/** The fields that this script reads from the engine's ready line (docs/specification.md, `--json`). */
interface Ready {
  readonly proxy: { readonly host: string; readonly port: number };
  /** The open reverse ports, each as `port=origin`. */
  readonly reverse: readonly string[];
  readonly ui: string;
  readonly ca: string;
  readonly caBundle: string;
  readonly dataDir: string;
}

/** The line that the engine prints if another Weir uses the data folder. */
const TAKEN = '{"taken":true}';

interface Start {
  readonly own: ReadonlySet<string>;
  /** Arguments for the engine. */
  readonly words: readonly string[];
  readonly json: boolean;
  /** Whether the user chose no port, so that any free port may be used. */
  readonly anyPort: boolean;
  /** Prints a message; to stderr if stdout is reserved for the JSON line. */
  readonly say: (line: string) => void;
  readonly demo: Demo | null;
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
  if (typeof checked === "string") {
    console.error(`${checked}\n${listedBy("start")}`);
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
    const say = (line: string) => (checked.json ? console.error(line) : console.log(line));
    const onTaken = () => {
      isTaken = true;
    };
    const code = await run({
      own,
      words: engineWords,
      json: checked.json,
      anyPort: checked.port === null,
      say,
      demo,
      onTaken,
    });
    // Printed here, after the sentence that the engine prints before it ends.
    const idle = isTaken ? ineffective(words) : [];
    if (idle.length > 0)
      console.error(
        `The running Weir was not changed: ${idle.join(", ")} ${idle.length === 1 ? "applies" : "apply"} only to a new start. weir stop ends the running Weir.`,
      );
    // A caller that waits for the ready line would wait in vain, so the exit code is an error.
    return isTaken && checked.json ? DATA_FOLDER_UNUSABLE : code;
  } finally {
    await demo?.stop();
  }
}

/** The options that have no effect if another Weir uses the data folder, each once. */
function ineffective(words: readonly string[]): readonly string[] {
  const names = words.filter((word) => word.startsWith("--")).map((word) => word.replace(/=.*/s, ""));
  return [...new Set(names)].filter((name) => !EFFECTIVE.includes(name));
}

/** Options that choose the data folder, or that say how this start reports. */
const EFFECTIVE = ["--data-dir", "--json", "--background", "--no-open", "--native", "--browser"];

/** Starts the demo. Loaded only when needed, because the demo imports the engine's code for certificates. */
async function startedDemo(): Promise<Demo> {
  const { startDemo } = (await import(scriptUrl("demo", import.meta.url).href)) as typeof import("./demo.ts");
  return startDemo();
}

async function run(start: Start): Promise<number> {
  const { say } = start;
  if (start.own.has("--background")) return inBackground(start);
  const stronger = ["--no-open", "--browser"].find((word) => start.own.has(word));
  if (stronger !== undefined) {
    if (start.own.has("--native")) say(`--native has no effect with ${stronger}: no native window is opened.`);
    return inBrowser(start);
  }
  // For an error such as a full disk or a cache folder that cannot be written, the browser is used.
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
  say("Weir opens in a browser: the native window did not appear (no display, or no web view).");
  return inBrowser({ ...start, words: [...start.words, "--after-window"] });
}

/**
 * Runs Weir in the native window. Returns the exit code; `null` if the page never connected: the browser is then used.
 * Neutralino starts Weir's extension itself, so arguments are passed in the environment.
 */
async function inNativeWindow(binary: string, start: Start): Promise<number | null> {
  let isShown = false;
  const window = spawn(binary, ["--load-dir-res", `--path=${APP}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, WEIR_ARGUMENTS: JSON.stringify(start.words), WEIR_NATIVE: binary },
  });
  const ended = endOf(window);
  const shown = new Promise<void>((resolve) => {
    onReady(
      window,
      start,
      (ready, line) => {
        announce(start, ready, line);
        void shown.then(() => {
          if (!start.json) console.log("Weir's native window is open. To end Weir, close the window or press Ctrl+C.");
          void start.demo?.begin({ ...ready.proxy, ca: ready.ca });
        });
      },
      () => {
        isShown = true;
        resolve();
      },
    );
  });
  const code = await ended.catch((error: Error) => {
    start.say(`The native window could not be started: ${error.message}`);
    return 1;
  });
  if (TOLD_TO_END.includes(code)) return 0;
  return code !== 0 && !isShown ? null : code;
}

async function inBrowser(start: Start): Promise<number> {
  const entry = start.own.has("--dev") ? ENGINE_SOURCE : ENGINE;
  // A process group of its own, so that Ctrl+C reaches the engine once, through this process. The ipc channel closes
  // when this process exits.
  const engine = spawn(process.execPath, [entry, "--standalone", ...start.words], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    detached: process.platform !== "win32",
  });
  const ended = endOf(engine);
  onReady(engine, start, (ready, line) => {
    const closed = start.own.has("--no-open");
    announce(start, ready, line);
    if (!start.json) console.log(closed ? `Weir's window is at ${ready.ui}` : "Ctrl+C ends Weir.");
    if (!closed) {
      openPage(ready.ui, ready.dataDir, start.say);
      // A second start found this Weir, and its user wants to see the page.
      engine.on("message", () => openPage(ready.ui, ready.dataDir, start.say));
    }
    void start.demo?.begin({ ...ready.proxy, ca: ready.ca });
  });
  return ended;
}

/**
 * Starts Weir in the background. Returns when Weir is ready or has failed. Weir then runs on in a session of its own.
 */
async function inBackground(start: Start): Promise<number> {
  const engine = spawn(process.execPath, [ENGINE, "--standalone", ...start.words], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  engine.stderr.on("data", (text: Buffer) => process.stderr.write(text));
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    engine.kill("SIGKILL");
  }, START_LIMIT);
  const exit = once(engine, "close").then(([code]) => Number(code ?? 70));
  const ready = new Promise<null>((resolve) => {
    onReady(engine, start, (value, line) => {
      announce(start, value, line);
      start.say(`Weir runs in the background, as process ${engine.pid}, with its window at ${value.ui}`);
      resolve(null);
    });
  });
  const code = await Promise.race([ready, exit]);
  clearTimeout(limit);
  if (isLate) console.error(`Weir was not ready within ${START_LIMIT / 1_000} s, and was ended.`);
  engine.stdout.destroy();
  engine.stderr.destroy();
  engine.unref();
  return code ?? 0;
}

function announce(start: Start, ready: Ready, line: string): void {
  if (start.anyPort && ready.proxy.port !== PREFERRED_PORT)
    start.say(
      `Port ${PREFERRED_PORT} is taken, so the proxy listens on ${ready.proxy.port}; --port chooses another port.`,
    );
  if (start.json) {
    console.log(line);
    return;
  }
  const { host, port } = ready.proxy;
  console.log(`Weir listens on ${hostPort(host, port)}. Try:`);
  console.log(`  ${firstRequest(host, port, ready.caBundle).parts.join(" ")}`);
  for (const entry of ready.reverse.map(reversePortOf))
    if (typeof entry !== "string") console.log(`${reverseUrl(entry.port)} forwards to ${originTextOf(entry)}`);
}

/**
 * Calls back for the lines of JSON that the engine prints: when it is ready, if another Weir uses the data folder, and
 * when its native window is shown. All other output is passed on to stderr.
 */
function onReady(
  child: ChildProcess,
  { onTaken }: Start,
  ready: (value: Ready, line: string) => void,
  shown = () => {},
): void {
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith('{"ready":true')) ready(JSON.parse(line) as Ready, line);
    else if (line.startsWith('{"shown":true')) shown();
    else if (line === TAKEN) onTaken();
    else console.error(line);
  });
}

/** Resolves with the child's exit code. Until then, signals to this process are passed on to the child. */
async function endOf(child: ChildProcess): Promise<number> {
  let passed = Number.NEGATIVE_INFINITY;
  const pass = (signal: NodeJS.Signals) => {
    const at = performance.now();
    if (at - passed < ECHO) return;
    passed = at;
    child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, pass);
  // npm sends SIGTERM to the shell that started this process, and some shells (dash) do not pass it on.
  const endIfOrphaned = () => {
    if (process.ppid === PARENT) return;
    clearInterval(look);
    pass("SIGTERM");
  };
  const look = process.env["npm_lifecycle_event"] === undefined ? undefined : setInterval(endIfOrphaned, LOOK);
  try {
    const [code, by] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // As in a shell: a process that was ended by a signal (a crash, no memory) has failed.
    return code ?? 128 + (by === null ? 0 : constants.signals[by]);
  } finally {
    clearInterval(look);
    for (const signal of signals) process.off(signal, pass);
  }
}
