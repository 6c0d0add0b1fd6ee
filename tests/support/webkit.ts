import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Hand } from "./hand.ts";
import { withFolder } from "./temporary-folder.ts";
import { toolEnvironment } from "./tool.ts";
import { needs } from "./which.ts";

/** The folder of WebKitGTK's programs on Debian, by architecture. */
const LIBRARIES = "/usr/lib";

/** Milliseconds between two checks, and their limit. */
const LOOK_EVERY = 50;
const LOOK_FOR = 15_000;

/** A page in WebKitGTK, which shows the native window on Linux; controlled by WebDriver. */
export interface WebKitPage extends Hand {
  /** Runs the script until its result is truthy. */
  until(script: string): Promise<void>;
  /** Clicks the element at the XPath when it exists. */
  click(xpath: string): Promise<void>;
}

/** WebDriver, Keyboard actions: keys that type no character. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
};

/** Why WebKitGTK tests are skipped; `null` if all programs are installed (Debian: webkit2gtk-driver, xvfb). */
export function needsWebKit(): string | null {
  if (miniBrowser() === null) return "needs WebKitGTK's MiniBrowser";
  return needs("WebKitWebDriver", "Xvfb");
}

/** Calls `body` with a page at the address, of 1280 x 800 on a virtual screen, and then closes everything. */
export function withWebKit(address: string, body: (page: WebKitPage) => Promise<void>): Promise<void> {
  return withFolder((folder) => inWebKit(toolEnvironment(folder), address, body));
}

async function inWebKit(
  tools: Readonly<Record<string, string>>,
  address: string,
  body: (page: WebKitPage) => Promise<void>,
): Promise<void> {
  const started: ChildProcess[] = [];
  try {
    const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      env: tools,
    });
    started.push(screen);
    const [display] = (await once(createInterface({ input: screen.stdio[3] as Readable }), "line")) as [string];
    const port = await freePort();
    const env = { ...tools, DISPLAY: `:${display}`, WEBKIT_DISABLE_COMPOSITING_MODE: "1", NO_AT_BRIDGE: "1" };
    const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], { stdio: "ignore", env });
    started.push(driver);
    const session = await sessionAt(`http://127.0.0.1:${port}`);
    try {
      await session.post("url", { url: address });
      await body(pageOf(session));
    } finally {
      await session.close();
    }
  } finally {
    for (const child of started.reverse()) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
      child.kill("SIGTERM");
      await ended;
    }
  }
}

interface Session {
  post(what: string, body: object): Promise<unknown>;
  close(): Promise<void>;
}

function pageOf({ post }: Session): WebKitPage {
  const run = <Value>(script: string) => post("execute/sync", { script, args: [] }) as Promise<Value>;
  const until = async (script: string): Promise<void> => {
    for (let waited = 0; waited < LOOK_FOR; waited += LOOK_EVERY) {
      if (await run<boolean>(script)) return;
      await pause(LOOK_EVERY);
    }
    throw new Error(`never came true: ${script}\n${await run<string>("return document.body.innerText")}`);
  };
  const act = (actions: object) => post("actions", { actions: [actions] });
  return {
    run,
    until,
    press: async (combination) => {
      const values = combination.split(/(?<=.)\+/).map((key) => KEYS[key] ?? key);
      const down = values.map((value) => ({ type: "keyDown", value }));
      const up = values.toReversed().map((value) => ({ type: "keyUp", value }));
      await act({ type: "key", id: "keyboard", actions: [...down, ...up] });
    },
    clickAt: async (x, y) => {
      const move = { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) };
      const [down, up] = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
      await act({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [move, down, up] });
    },
    click: async (xpath) => {
      // The driver presses where the element was when it looked, so the element has to stand still.
      await until(
        `const found = document.evaluate(${JSON.stringify(xpath)}, document, null, 9, null).singleNodeValue;
        if (found === null) return false;
        const { x, y } = found.getBoundingClientRect();
        const before = window.lookedAt;
        window.lookedAt = [x, y].join();
        return window.lookedAt === before`,
      );
      const element = (await post("element", { using: "xpath", value: xpath })) as Record<string, string>;
      await post(`element/${Object.values(element)[0]}/click`, {});
    },
  };
}

async function sessionAt(driver: string): Promise<Session> {
  const options = { binary: miniBrowser(), args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const { sessionId } = (await ask(`${driver}/session`, "POST", { capabilities })) as { readonly sessionId: string };
  const address = `${driver}/session/${sessionId}`;
  return {
    post: (what, body) => ask(`${address}/${what}`, "POST", body),
    close: async () => {
      await ask(address, "DELETE", null);
    },
  };
}

/** Asks the driver, and repeats that until the driver listens. */
async function ask(address: string, method: string, body: object | null): Promise<unknown> {
  for (let waited = 0; ; waited += LOOK_EVERY) {
    const response = await fetch(address, { method, ...(body === null ? {} : { body: JSON.stringify(body) }) }).catch(
      (error: unknown) => {
        if (waited >= LOOK_FOR) throw error;
        return null;
      },
    );
    if (response === null) {
      await pause(LOOK_EVERY);
      continue;
    }
    const { value } = (await response.json()) as { readonly value: { readonly message?: string } | null };
    if (!response.ok) throw new Error(`WebDriver: ${value?.message ?? response.status}`);
    return value;
  }
}

function miniBrowser(): string | null {
  if (!existsSync(LIBRARIES)) return null;
  for (const machine of readdirSync(LIBRARIES)) {
    for (const version of ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"]) {
      const path = join(LIBRARIES, machine, version, "MiniBrowser");
      if (existsSync(path)) return path;
    }
  }
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
