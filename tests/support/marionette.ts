import { mkdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { runTool } from "./tool.ts";

/** The title, error code and address of Firefox's error page. */
const SHOWN = `
  let code = "";
  try { code = document.getFailedCertSecurityInfo().errorCodeString; } catch {}
  return [document.title, code, document.documentURI].join("\\n");`;

/** Opens a page in a headless Firefox with this profile folder. Returns what the page shows. */
export function shownByFirefox(program: string, folder: string, profile: string, url: string): Promise<string> {
  return inFirefox(program, folder, profile, url, (client) =>
    client.send("WebDriver:ExecuteScript", { script: SHOWN }),
  );
}

/**
 * Opens a page in a headless Firefox with a new profile in `folder`, and runs `script` in it. The script gets `args`
 * and a function that it calls with the result.
 */
export function ranInFirefox(
  program: string,
  folder: string,
  url: string,
  script: string,
  args: readonly string[],
): Promise<string> {
  mkdirSync(join(folder, "profile"));
  writeFileSync(join(folder, "profile", "user.js"), 'user_pref("marionette.port", 0);\n');
  return inFirefox(program, folder, "profile", url, (client) =>
    client.send("WebDriver:ExecuteAsyncScript", { script, args }),
  );
}

/** Opens a page in a headless Firefox with this profile folder, and returns the text that `act` gets from it. */
async function inFirefox(
  program: string,
  folder: string,
  profile: string,
  url: string,
  act: (client: Marionette) => Promise<unknown>,
): Promise<string> {
  const stop = new AbortController();
  let told: (port: number) => void = () => {};
  const port = new Promise<number>((resolve) => {
    told = resolve;
  });
  const onOutput = (output: string) => {
    const listening = /Marionette\s.*Listening on port (\d+)/.exec(output)?.[1];
    if (listening !== undefined) told(Number(listening));
  };
  const argv = [program, "--headless", "--no-remote", "--marionette", "--profile", profile];
  const running = runTool(argv, folder, { limit: 40_000, signal: stop.signal, onOutput });
  try {
    const ended = running.then(({ output }) => Promise.reject(new Error(`Firefox ended: ${output}`)));
    const client = new Marionette(connect(await Promise.race([port, ended]), "127.0.0.1"));
    await Promise.race([client.send("WebDriver:NewSession", {}), ended]);
    await Promise.race([client.send("WebDriver:Navigate", { url }), ended]);
    return String(await Promise.race([act(client), ended]));
  } finally {
    stop.abort();
    await running;
  }
}

/**
 * Firefox's remote control. Commands are `<bytes>:[0, id, name, parameters]`, results are `<bytes>:[1, id, error,
 * result]`.
 */
class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => {
      this.#received = Buffer.concat([this.#received, Buffer.from(chunk)]);
      for (let message = this.#taken(); message !== null; message = this.#taken()) this.#answer(JSON.parse(message));
    });
    // The socket closes when Firefox exits.
    socket.on("error", () => {});
  }

  /** Resolves with the result; `null` for an error, such as a page that cannot be opened. */
  send(name: string, parameters: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const text = JSON.stringify([0, id, name, parameters]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #taken(): string | null {
    const [head = "", length = ""] = /^(\d+):/.exec(this.#received.toString("latin1", 0, 16)) ?? [];
    const end = head.length + Number(length);
    if (head === "" || this.#received.length < end) return null;
    const text = this.#received.toString("utf8", head.length, end);
    this.#received = this.#received.subarray(end);
    return text;
  }

  /** The first message is a greeting, not a result. */
  #answer(message: readonly [number, number, unknown, { value?: unknown } | null] | object): void {
    if (Array.isArray(message)) this.#waiting.get(message[1])?.(message[3]?.value ?? null);
  }
}
