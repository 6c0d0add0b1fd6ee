import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { extname, join } from "node:path";
import { WebSocket, WebSocketServer } from "ws";
import type { Admission } from "./admission.ts";

/** Ms within which a connection must send its head, and a UI client its first message. */
const HELLO_LIMIT = 5_000;

/** The most bytes of a head, Node's own limit. */
const LONGEST_HEAD = 16 * 1024;

/** The most characters of a message before a UI client is admitted; `hello` has some 300. */
const LONGEST_HELLO = 4_096;

/** The most bytes of a message from a UI client (messages.ts). */
const MESSAGE_LIMIT = 1024 * 1024;

/** The most unsent bytes of a UI client. With more, Weir disconnects the client, which then reconnects. */
const HIGH_WATER = 8 * 1024 * 1024;

export interface UiSocket {
  send(text: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

interface LoopbackOptions {
  /** The folder of the built page. */
  readonly resources: string;
  readonly admission: Admission;
  readonly theme: () => "system" | "light" | "dark";
  /** Further origins whose pages may connect, such as that of the Setup Hub's native window. */
  readonly origins: () => readonly string[];
  /** A further value of Host, whose http and https origins may connect too (`--ui-host-name`); `null`: none. */
  readonly hostName: string | null;
  readonly onPage: (page: UiSocket) => void;
}

/**
 * Pages keep one connection each, and a few more while they load. A further connection ends the oldest one that is no
 * admitted UI client, so that connections that send nothing keep no window out; if there is none, it is closed at once.
 */
const MOST_CONNECTIONS = 256;

/**
 * How many connections may wait to be accepted, if the system allows so many. It drops further ones, whose clients try
 * again after 1 s (RFC 6298, 2.1).
 */
const MOST_WAITING = 4_096;

/**
 * Serves one file of the page for each connection, and WebSockets for UI clients, on 127.0.0.1 only. A WebSocket needs
 * an allowed Host and Origin, and a ticket or the proof of a key in its first messages (admission.ts). Captured data is
 * sent over WebSockets only, never as a file.
 */
export class LoopbackServer {
  readonly #options: LoopbackOptions;
  readonly #server = createTcpServer((socket) => this.#takeIn(socket));
  /** Does not listen: it gets the connections that have sent a head. */
  readonly #http = createServer((request, response) => this.#answer(request, response));
  readonly #sockets: WebSocketServer;
  #files: ReadonlyMap<string, PageFile>;
  /** The connections that are no admitted UI clients, the oldest first. */
  readonly #guests = new Set<Socket>();
  #connections = 0;
  #port = 0;

  constructor(options: LoopbackOptions) {
    this.#options = options;
    this.#files = pageFiles(options.resources);
    this.#sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: MESSAGE_LIMIT,
      // Without this, all messages of one read are handled in one turn of the event loop.
      allowSynchronousEvents: false,
    });
    this.#http.on("upgrade", (request, socket: Socket, head) => {
      if (request.url !== "/channel" || !this.#hostIsOurs(request) || !this.#originIsOurs(request)) {
        // Node has removed its own error listener. If the client has disconnected, the write fails, and an unhandled
        // error would end the engine.
        socket.on("error", () => {});
        socket.write("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        // Destroys the socket once the response is sent. Otherwise a client that keeps its side open would delay
        // `stop`.
        socket.destroySoon();
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (page) =>
        this.#await(page, socket, request.headers.origin ?? ""),
      );
    });
  }

  /** Listens on this port of 127.0.0.1 (0: any free one), or on the next free one, and returns the port. */
  async start(port = 0): Promise<number> {
    for (const candidate of candidates(port)) {
      if (!(await this.#listen(candidate))) continue;
      this.#port = (this.#server.address() as AddressInfo).port;
      return this.#port;
    }
    throw new Error("no port is free");
  }

  /** Returns false if the port is taken, or reserved by Windows. */
  async #listen(port: number): Promise<boolean> {
    const problem = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      this.#server.once("error", resolve);
      this.#server.listen({ port, host: "127.0.0.1", backlog: MOST_WAITING }, () => {
        this.#server.off("error", resolve);
        resolve(null);
      });
    });
    if (problem !== null && !["EADDRINUSE", "EACCES"].includes(problem.code ?? "")) throw problem;
    return problem === null;
  }

  async stop(): Promise<void> {
    for (const page of this.#sockets.clients) page.terminate();
    for (const guest of this.#guests) guest.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #takeIn(socket: Socket): void {
    const [oldest = socket] = this.#guests;
    if (this.#connections >= MOST_CONNECTIONS) oldest.destroy();
    if (socket.destroyed) return;
    this.#connections += 1;
    this.#guests.add(socket);
    socket.once("close", () => {
      this.#connections -= 1;
      this.#guests.delete(socket);
    });
    this.#awaitHead(socket);
  }

  /**
   * Hands the connection on once it has sent one head and nothing more. Node's server would handle all pipelined
   * requests of a read in one turn, 1,500 of them in 100 ms; browsers pipeline none.
   */
  #awaitHead(socket: Socket): void {
    const limit = setTimeout(() => socket.destroy(), HELLO_LIMIT);
    socket.once("close", () => clearTimeout(limit));
    socket.on("error", () => {});
    let head = "";
    const receive = (piece: Buffer): void => {
      const from = Math.max(0, head.length - 3);
      head += piece.toString("latin1");
      const end = head.indexOf("\r\n\r\n", from);
      if (head.length > LONGEST_HEAD || (end >= 0 && end + 4 < head.length)) return void socket.destroy();
      if (end < 0) return;
      socket.off("data", receive);
      clearTimeout(limit);
      socket.unshift(Buffer.from(head, "latin1"));
      this.#http.emit("connection", socket);
    };
    socket.on("data", receive);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.socket.pause(); // a further request is not read, since the response closes the connection
    if (!this.#hostIsOurs(request)) {
      refuse(response, 403, "Weir's window has another address.");
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      refuse(response, 405, "Only GET is answered here.");
      return;
    }
    // In the native window, the page loads Neutralino's globals from this path. A browser gets an empty script.
    if (request.url === "/__neutralino_globals.js") {
      send(response, request, { type: "text/javascript; charset=utf-8", bytes: Buffer.alloc(0) });
      return;
    }
    const file = this.#files.get(request.url ?? "");
    if (file === undefined) {
      refuse(response, 404, "There is no such page.");
      return;
    }
    send(response, request, file.html ? marked(file, this.#options.theme(), isOwn(request)) : file);
  }

  #await(page: WebSocket, socket: Socket, origin: string): void {
    const limit = setTimeout(() => page.terminate(), HELLO_LIMIT);
    page.on("error", () => page.terminate());
    page.once("close", () => clearTimeout(limit));
    const next = this.#options.admission.visitFrom(origin, origin === `http://127.0.0.1:${this.#port}`);
    const receive = (data: unknown): void => {
      const text = String(data);
      const result = text.length > LONGEST_HELLO ? REFUSED : next(text);
      if (result.kind === "refused") {
        page.off("message", receive);
        page.close(4403, "not admitted");
        return;
      }
      if (result.reply !== null) page.send(result.reply);
      if (result.kind === "asked") return;
      page.off("message", receive);
      clearTimeout(limit);
      this.#guests.delete(socket);
      this.#options.onPage(pageSocket(page));
    };
    page.on("message", receive);
  }

  #hostIsOurs(request: IncomingMessage): boolean {
    const { hostName } = this.#options;
    if (hostName !== null && request.headers.host === hostName) return true;
    return ["127.0.0.1", "localhost", "[::1]"].some((name) => request.headers.host === `${name}:${this.#port}`);
  }

  #originIsOurs(request: IncomingMessage): boolean {
    const { origin, host } = request.headers;
    const { origins, hostName } = this.#options;
    const further = hostName === null ? [] : [`http://${hostName}`, `https://${hostName}`];
    return origin !== undefined && [`http://${host}`, ...further, ...origins()].includes(origin);
  }
}

const REFUSED = { kind: "refused" } as const;

function pageSocket(page: WebSocket): UiSocket {
  return {
    send: (text) => {
      if (page.readyState !== WebSocket.OPEN) return;
      if (page.bufferedAmount > HIGH_WATER) page.terminate();
      else page.send(text);
    },
    onMessage: (listener) => {
      page.on("message", (data) => listener(String(data)));
    },
    onClose: (listener) => {
      page.on("close", listener);
    },
  };
}

/** How many further ports are tried before any free one is taken. */
const NEIGHBOURS = 20;

function candidates(port: number): readonly number[] {
  if (port === 0) return [0];
  const neighbours = Array.from({ length: NEIGHBOURS }, (_, index) => port + index);
  return [...neighbours.filter((one) => one <= 65_535), 0];
}

/**
 * Writes the chosen theme into the page, and whether the user opened it, so that it needs no script or storage for
 * these.
 */
function marked(file: PageFile, theme: "system" | "light" | "dark", own: boolean): PageFile {
  const marks = `${theme === "system" ? "" : ` data-theme="${theme}"`}${own ? " data-own" : ""}`;
  return { ...file, bytes: Buffer.from(file.bytes.toString("utf8").replace("<html", `<html${marks}`)) };
}

/** Whether the user typed the address, or followed a link of ours (Fetch Metadata, 2.3). */
function isOwn({ headers }: IncomingMessage): boolean {
  return ["none", "same-origin"].includes(String(headers["sec-fetch-site"]));
}

function send(
  response: ServerResponse,
  request: IncomingMessage,
  file: { readonly type: string; readonly bytes: Buffer },
): void {
  response.writeHead(200, { ...headers(file.type), "Content-Length": file.bytes.length });
  response.end(request.method === "HEAD" ? undefined : file.bytes);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, headers("text/plain; charset=utf-8"));
  response.end(`${text}\n`);
}

/**
 * The headers of a response (docs/security.md S3 and S7). The page has a Content-Security-Policy in a meta tag, but
 * only a header can forbid framing.
 */
function headers(type: string): Record<string, string> {
  return {
    "Content-Type": type,
    Connection: "close",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}

/** A file of the built page, held in memory. Requests can select no other files, so path traversal is impossible. */
interface PageFile {
  readonly type: string;
  readonly html: boolean;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Every file of `folder` by its request path; `/` is index.html. Skips symbolic links and types that `TYPES` lacks. */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    const path = join(entry.parentPath, entry.name);
    if (type === undefined || !entry.isFile() || !statSync(path).isFile()) continue;
    const url = path.slice(folder.length).replaceAll("\\", "/");
    files.set(url.startsWith("/") ? url : `/${url}`, {
      type,
      html: type.startsWith("text/html"),
      bytes: readFileSync(path),
    });
  }
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return files;
}
