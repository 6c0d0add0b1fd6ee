import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { type PageFile, pageFiles } from "./page-files.ts";

/** Ms within which a UI client must send its first message. */
const HELLO_LIMIT = 5_000;

/** The most bytes of a message from a UI client (messages.ts). */
const MESSAGE_LIMIT = 1024 * 1024;

/**
 * The most unsent bytes of a UI client. With more, Weir disconnects the client,
 * which then reconnects.
 */
const HIGH_WATER = 8 * 1024 * 1024;

/** A UI client that sent the right ticket. */
export interface UiSocket {
  send(text: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

interface LoopbackOptions {
  /** The folder of the built page. */
  readonly resources: string;
  readonly ticket: string;
  readonly theme: () => "system" | "light" | "dark";
  /** Further origins whose pages may connect, such as that of the Setup Hub's native window. */
  readonly origins: () => readonly string[];
  readonly onPage: (page: UiSocket) => void;
}

/**
 * Serves the files of the page, and WebSockets for UI clients, on 127.0.0.1 only. A WebSocket needs an allowed Host and
 * Origin, and the ticket in its first message. Captured data is sent over WebSockets only, never as a file.
 */
export class LoopbackServer {
  readonly #options: LoopbackOptions;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  #files: ReadonlyMap<string, PageFile>;
  #port = 0;

  constructor(options: LoopbackOptions) {
    this.#options = options;
    this.#files = pageFiles(options.resources);
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_LIMIT });
    this.#server.on("upgrade", (request, socket: Socket, head) => {
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
      this.#sockets.handleUpgrade(request, socket, head, (page) => this.#await(page));
    });
  }

  /** Listens on this port of 127.0.0.1 (0: any free one) and returns the port. */
  async start(port = 0): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    return this.#port;
  }

  async stop(): Promise<void> {
    for (const page of this.#sockets.clients) page.terminate();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
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
    send(response, request, file.html ? themed(file, this.#options.theme()) : file);
  }

  #await(page: WebSocket): void {
    const limit = setTimeout(() => page.terminate(), HELLO_LIMIT);
    page.on("error", () => page.terminate());
    page.once("close", () => clearTimeout(limit));
    page.once("message", (data) => {
      clearTimeout(limit);
      if (!showsTicket(String(data), this.#options.ticket)) {
        page.close(4403, "wrong ticket");
        return;
      }
      this.#options.onPage(pageSocket(page));
    });
  }

  #hostIsOurs(request: IncomingMessage): boolean {
    return ["127.0.0.1", "localhost", "[::1]"].some((name) => request.headers.host === `${name}:${this.#port}`);
  }

  #originIsOurs(request: IncomingMessage): boolean {
    const origin = request.headers.origin;
    return (
      origin !== undefined && (origin === `http://${request.headers.host}` || this.#options.origins().includes(origin))
    );
  }
}

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

function showsTicket(text: string, ticket: string): boolean {
  const shown = Buffer.from(ticketOf(text));
  const right = Buffer.from(ticket);
  return shown.length === right.length && timingSafeEqual(shown, right);
}

function ticketOf(text: string): string {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== "object" || message === null) return "";
    if (!("type" in message) || message.type !== "hello") return "";
    return "ticket" in message && typeof message.ticket === "string" ? message.ticket : "";
  } catch {
    return "";
  }
}

/** Writes the chosen theme into the page, which then needs neither a script nor storage for it. */
function themed(file: PageFile, theme: "system" | "light" | "dark"): PageFile {
  if (theme === "system") return file;
  return { ...file, bytes: Buffer.from(file.bytes.toString("utf8").replace("<html", `<html data-theme="${theme}"`)) };
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
  response.writeHead(status, { ...headers("text/plain; charset=utf-8"), Connection: "close" });
  response.end(`${text}\n`);
}

/**
 * The headers of a response (docs/security.md S3 and S7). The page has a Content-Security-Policy in a meta tag, but
 * only a header can forbid framing.
 */
function headers(type: string): Record<string, string> {
  return {
    "Content-Type": type,
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}
