import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { extname, join, normalize, resolve } from "node:path";
import { WebSocket, WebSocketServer } from "ws";

/*
 * A program that behaves like Neutralino 6.9 towards an extension and a page, as far as Weir uses Neutralino. It has no
 * window; a test acts as the page and requests the files that the program serves. Started like Neutralino,
 * `… --load-dir-res --path=APP`. SIGUSR2 closes the "window". Each window.* call is printed as one line of JSON.
 */

interface Config {
  readonly documentRoot: string;
  readonly nativeAllowList: readonly string[];
  readonly extensions: readonly {
    readonly id: string;
    readonly commandLinux: string;
    readonly commandDarwin: string;
  }[];
}

/** A request of a client, in one text frame. */
interface Call {
  readonly id: string;
  readonly method: string;
  readonly accessToken: string;
  readonly data?: { readonly event?: string; readonly data?: unknown; readonly extensionId?: string };
}

/** A larger message closes the connection. */
const MESSAGE_LIMIT = 32_000_000;

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const app = resolve(process.argv.find((word) => word.startsWith("--path="))?.slice("--path=".length) ?? ".");
const config = JSON.parse(readFileSync(join(app, "neutralino.config.json"), "utf8")) as Config;
const connectToken = randomBytes(24).toString("hex");
const token = `${randomBytes(24).toString("hex").slice(1)}.${connectToken}`;

const loaded = config.extensions.map(({ id }) => id);
const extensions = new Map<string, WebSocket>();
const pages = new Set<WebSocket>();
let tokenIsGiven = false;

const server = createServer(serve);
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_LIMIT });
server.on("upgrade", (request, socket: Socket, head) => {
  const { searchParams } = new URL(request.url ?? "/", "http://neutralino");
  const extension = searchParams.get("extensionId");
  const isOurs = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? "");
  const isKnown = extension === null || loaded.includes(extension);
  if (!isOurs || !isKnown || searchParams.get("connectToken") !== connectToken) {
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    return;
  }
  sockets.handleUpgrade(request, socket, head, (client) => connect(client, extension));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ serves: (server.address() as AddressInfo).port })}\n`);
  for (const extension of config.extensions) startExtension(extension);
});
process.on("SIGUSR2", () => process.exit(0));

/**
 * Starts the extension as the shell does: in a process group of its own, with one line on stdin, which is then closed.
 */
function startExtension({ id, commandLinux, commandDarwin }: Config["extensions"][number]): ChildProcess {
  const command = (process.platform === "darwin" ? commandDarwin : commandLinux).replaceAll(/\$\{NL_PATH\}/g, app);
  const child = spawn("/bin/sh", ["-c", command], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
  // The extension may exit before it reads stdin.
  child.stdin.on("error", () => {});
  const nlPort = String((server.address() as AddressInfo).port);
  child.stdin.end(`${JSON.stringify({ nlPort, nlToken: token, nlConnectToken: connectToken, nlExtensionId: id })}`);
  child.stdout.pipe(process.stdout);
  child.stderr.pipe(process.stderr);
  return child;
}

function connect(client: WebSocket, extension: string | null): void {
  if (extension === null) pages.add(client);
  else extensions.set(extension, client);
  client.on("message", (data) => answer(client, JSON.parse(String(data)) as Call));
  client.on("error", () => client.terminate());
  client.on("close", () => {
    if (extension === null) pages.delete(client);
    else if (extensions.get(extension) === client) extensions.delete(extension);
    tell("Disconnect", extension);
  });
  tell("Connect", extension);
}

function tell(change: string, extension: string | null): void {
  if (extension === null) dispatch(`appClient${change}`, pages.size);
  else dispatch(`extClient${change}`, extension);
}

/** Sends one of Neutralino's own events to all clients. */
function dispatch(event: string, data: unknown): void {
  for (const client of [...pages, ...extensions.values()]) send(client, { event, data });
}

function send(client: WebSocket, message: unknown): void {
  if (client.readyState === WebSocket.OPEN) client.send(JSON.stringify(message));
}

function answer(client: WebSocket, { id, method, accessToken, data }: Call): void {
  const refuse = (code: string) => send(client, { id, method, data: { error: { code, message: code } } });
  if (accessToken !== token) return refuse("NE_RT_INVTOKN");
  if (!config.nativeAllowList.includes(method)) return refuse("NE_RT_NATPRME");
  const reply = (returnValue: unknown) => send(client, { id, method, data: { success: true, returnValue } });
  switch (method) {
    case "extensions.getStats":
      return reply({ loaded, connected: [...extensions.keys()] });
    case "extensions.dispatch": {
      const to = extensions.get(data?.extensionId ?? "");
      if (to === undefined) return refuse("NE_EX_EXTNOTC");
      send(to, { event: data?.event, data: data?.data ?? null });
      return reply(null);
    }
    case "app.broadcast":
      for (const page of pages) send(page, { event: data?.event, data: data?.data ?? null });
      return reply(null);
    case "app.killProcess":
      process.kill(process.pid, "SIGINT");
      return;
    default:
      process.stdout.write(`${JSON.stringify({ called: method, data })}\n`);
      return reply(null);
  }
}

/** Serves the page's files; the first request for the globals gets the token. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  const path = normalize(new URL(request.url ?? "/", "http://neutralino").pathname);
  if (path === "/__neutralino_globals.js") {
    const port = (server.address() as AddressInfo).port;
    const globals = { NL_PORT: port, NL_TOKEN: tokenIsGiven ? "" : token, NL_EXTENABLED: true, NL_ARGS: process.argv };
    tokenIsGiven = true;
    const lines = Object.entries(globals).map(([name, value]) => `var ${name}=${JSON.stringify(value)};`);
    response.writeHead(200, { "Content-Type": "text/javascript" }).end(lines.join("\n"));
    return;
  }
  try {
    const bytes = readFileSync(join(app, config.documentRoot, path));
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}
