import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { argumentsOf, PREFERRED_PORT } from "../extensions/proxy/arguments.ts";
import { firstRequest } from "../src/engine/hub/first-request.ts";
import { hostPort } from "../src/engine/model/host-port.ts";
import { openPage } from "./browser-window.ts";
import { build, isStale } from "./build.ts";
import { type Demo, startDemo } from "./demo.ts";
import { nativeBinary } from "./native-binary.ts";

/** Words that are this script's own; all others are the engine's. */
const OWN_WORDS = ["--native", "--browser", "--no-open", "--demo", "--dev"];

const USAGE = `npm start -- …
  --native, --browser       force the window (default: a native one if it can be had)
  --no-open                 open nothing, print where the window is
  --json                    print one line of JSON when ready
  --port N, --listen ADDR   the proxy's address (default: 127.0.0.1:${PREFERRED_PORT}, or the next free port)
  --data-dir DIR            everything Weir writes goes there
  --ca-cert FILE --ca-key FILE    use this root instead of making one
  --upstream-ca FILE        trust this too when verifying servers; repeatable
  --host-override NAME=ADDR:PORT  connect there for that name; repeatable
  --demo                    with sample traffic`;

const HERE = fileURLToPath(new URL("..", import.meta.url));
const APP = fileURLToPath(new URL("../build", import.meta.url));
const ENGINE = fileURLToPath(new URL("../build/extensions/proxy/main.mjs", import.meta.url));
const ENGINE_SOURCE = fileURLToPath(new URL("../extensions/proxy/main.ts", import.meta.url));

/**
 * What Neutralino ends with once it was told to: by SIGINT, as by the extension of a second start, by SIGTERM, and on Windows
 * by that extension.
 */
const TOLD_TO_END = [129, 130, 143, 137];

/**
 * Where /bin/sh is bash (macOS, Fedora, Arch) one Ctrl+C comes twice within a millisecond: from the terminal, and passed on by npm.
 * The engine would take the second one for impatience. Our choice: nobody presses twice within this time.
 */
const ECHO = 100;

/** Who started us, and how often we look whether they are there. Our choice. */
const PARENT = process.ppid;
const LOOK = 500;

/** The part of the engine's ready line that is used here (decisions.md, `--json`). */
interface Ready {
  readonly proxy: { readonly host: string; readonly port: number };
  readonly ui: string;
  readonly ca: string;
  readonly dataDir: string;
}

interface Start {
  readonly own: ReadonlySet<string>;
  /** The engine's words. */
  readonly words: readonly string[];
  readonly json: boolean;
  /** Our choice of a port was asked for, not one by its number. */
  readonly anyPort: boolean;
  /** Tells the user, who may want standard output for the one line of JSON. */
  readonly say: (line: string) => void;
  readonly demo: Demo | null;
}

/** Builds what is stale and starts Weir in the host that is there; gives the exit code. */
export async function launch(words: readonly string[]): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const own = new Set(words.filter((word) => OWN_WORDS.includes(word)));
  const rest = words.filter((word) => !OWN_WORDS.includes(word));
  const checked = argumentsOf(rest);
  if (typeof checked === "string") {
    console.error(`${checked}\n${USAGE}`);
    return 2;
  }
  try {
    if (isStale()) {
      // Not on the standard output: `npm start -- --json` prints one line and nothing else.
      console.error("Building Weir, which takes a few seconds.");
      await build();
    }
  } catch (error) {
    // In a folder whose name holds a "#", which Tailwind takes for the end of a path.
    console.error(`Weir could not be built in ${HERE}: ${(error as Error).message}`);
    return 70;
  }
  const demo = own.has("--demo") ? await startDemo() : null;
  const engineWords = [...rest.filter((word) => word !== "--json"), "--json", ...(demo?.words ?? [])];
  try {
    const say = (line: string) => (checked.json ? console.error(line) : console.log(line));
    return await run({ own, words: engineWords, json: checked.json, anyPort: checked.port === null, say, demo });
  } finally {
    await demo?.stop();
  }
}

async function run(start: Start): Promise<number> {
  const { say } = start;
  const stronger = ["--no-open", "--browser"].find((word) => start.own.has(word));
  if (stronger !== undefined) {
    if (start.own.has("--native")) say(`--native counts for nothing beside ${stronger}: no native window is opened.`);
    return inBrowser(start);
  }
  // A cache folder that cannot be written, a full disk: the browser does without.
  const binary = await nativeBinary(say).catch((error: Error) => ({ path: null, reason: `${error.message}.` }));
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
  say("Weir opens in a browser: the native window did not come (no display, or no web view for it).");
  return inBrowser({ ...start, words: [...start.words, "--after-window"] });
}

/** `null`: its page never came, and the browser takes its place. Neutralino starts our extension itself, so its words travel in the environment. */
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
      (ready, line) => {
        announce(start, ready, line);
        void shown.then(() => {
          if (!start.json) console.log("Its native window is open. Close it, or press Ctrl+C, to end Weir.");
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
  // A process group of its own, so that Ctrl+C reaches it once, by us; the ipc channel tells it when we are gone.
  const engine = spawn(process.execPath, [entry, "--standalone", ...start.words], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    detached: process.platform !== "win32",
  });
  const ended = endOf(engine);
  onReady(engine, (ready, line) => {
    const closed = start.own.has("--no-open");
    announce(start, ready, line);
    if (!start.json) console.log(closed ? `Its window is at ${ready.ui}` : "Ctrl+C ends Weir.");
    if (!closed) {
      openPage(ready.ui, ready.dataDir, start.say);
      // A second start was told that this one runs; its user wants to see it.
      engine.on("message", () => openPage(ready.ui, ready.dataDir, start.say));
    }
    void start.demo?.begin({ ...ready.proxy, ca: ready.ca });
  });
  return ended;
}

function announce(start: Start, ready: Ready, line: string): void {
  if (start.anyPort && ready.proxy.port !== PREFERRED_PORT)
    start.say(`Port ${PREFERRED_PORT} is taken, so the proxy listens on ${ready.proxy.port}; --port chooses another.`);
  if (start.json) {
    console.log(line);
    return;
  }
  const { host, port } = ready.proxy;
  console.log(`Weir listens on ${hostPort(host, port)}. Try:`);
  console.log(`  ${firstRequest(host, port, ready.ca).parts.join(" ")}`);
}

/** The engine says one line of JSON when it is ready, and one once its native window is there; what else comes on that stream is passed on. */
function onReady(child: ChildProcess, ready: (value: Ready, line: string) => void, shown = () => {}): void {
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith('{"ready":true')) ready(JSON.parse(line) as Ready, line);
    else if (line.startsWith('{"shown":true')) shown();
    else console.error(line);
  });
}

/** Its exit code; meanwhile our signals are its signals. */
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
  // npm passes SIGTERM on to the shell between it and us, and not every /bin/sh (dash) passes it on.
  const endIfOrphaned = () => {
    if (process.ppid === PARENT) return;
    clearInterval(look);
    pass("SIGTERM");
  };
  const look = process.env["npm_lifecycle_event"] === undefined ? undefined : setInterval(endIfOrphaned, LOOK);
  try {
    const [code, by] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // As a shell has it: whom a signal has ended (a crash, or no memory) has not ended well.
    return code ?? 128 + (by === null ? 0 : constants.signals[by]);
  } finally {
    clearInterval(look);
    for (const signal of signals) process.off(signal, pass);
  }
}
