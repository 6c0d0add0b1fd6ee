import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { RawPeer } from "./raw-peer.ts";

/** Media types that the inspector shows differently. */
const TYPES = [
  "application/json",
  "text/html",
  "text/plain; charset=utf-8",
  "image/svg+xml",
  "image/png",
  "application/octet-stream",
] as const;

/**
 * A server that puts each payload into every part of a message, and a client that puts it into every part of a request.
 */
export interface HostileSite {
  readonly port: number;
  /** Sends a payload through the proxy and ignores the outcome. */
  send(proxyPort: number, payload: string, index: number): Promise<void>;
  /** Opens a WebSocket with all payloads in both directions, and an event stream with all of them. */
  talk(proxyPort: number, payloads: readonly string[]): Promise<void>;
  close(): void;
}

export async function hostileSite(payloads: readonly string[]): Promise<HostileSite> {
  const server = createServer((request, response) => answer(request, response, payloads));
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (peer) => peer.on("message", (text) => peer.send(String(text)))),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    send,
    talk,
    close: () => {
      server.closeAllConnections();
      server.close();
      for (const peer of sockets.clients) peer.terminate();
    },
  };
}

/** The characters of a payload that a field name may contain (RFC 9110, 5.6.2). */
function tokenOf(payload: string): string {
  return `X-${payload.replaceAll(/[^!#$%&'*+.^_`|~0-9A-Za-z-]/g, "")}`;
}

function answer(request: IncomingMessage, response: ServerResponse, payloads: readonly string[]): void {
  request.resume();
  if (request.url?.startsWith("/events")) {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(payloads.map((payload) => `event: ${payload}\nid: ${payload}\ndata: ${payload}\n\n`).join(""));
    return;
  }
  const index = Number(request.headers["x-index"]);
  const payload = payloads[index] ?? "";
  const type = TYPES[index % TYPES.length] ?? TYPES[0];
  response.writeHead(200 + (index % 4) * 100, payload, {
    "Content-Type": index % 7 === 6 ? payload : type,
    "Server-Timing": `${tokenOf(payload)};dur=1;desc="${payload.replaceAll('"', "'")}", ${payload};dur=2`,
    "Content-Disposition": `attachment; filename="${payload}"`,
    "Set-Cookie": `${tokenOf(payload)}=${payload}`,
    [tokenOf(payload)]: payload,
  });
  response.end(
    type === "application/json" ? JSON.stringify({ [payload]: payload, list: [{ [payload]: 1 }] }) : payload,
  );
}

async function send(proxyPort: number, payload: string, index: number): Promise<void> {
  const peer = await RawPeer.to(proxyPort);
  const target = payload.replaceAll(/[^\x21-\x7e]/g, "+");
  const body = JSON.stringify({ [payload]: payload });
  const method = index % 5 === 4 ? tokenOf(payload).slice(0, 20) : "POST";
  peer.send(
    [
      `${method} http://server.test/${index}/${target}?${target} HTTP/1.1`,
      "Host: server.test",
      `X-Index: ${index}`,
      `User-Agent: ${payload}`,
      `Cookie: ${tokenOf(payload)}=${payload}`,
      `${tokenOf(payload)}: ${payload}`,
      `Content-Type: ${TYPES[index % TYPES.length]}`,
      `Content-Length: ${Buffer.byteLength(body, "latin1")}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  await peer.over;
  peer.close();
}

async function talk(proxyPort: number, payloads: readonly string[]): Promise<void> {
  const events = await RawPeer.to(proxyPort);
  events.send("GET http://server.test/events HTTP/1.1\r\nHost: server.test\r\nConnection: close\r\n\r\n");
  await events.over;
  const tunnel = await RawPeer.tunnel(proxyPort, "server.test:80");
  tunnel.socket.removeAllListeners("data");
  const socket = new WebSocket("ws://server.test/socket", { createConnection: () => tunnel.socket });
  await new Promise<void>((resolve, reject) => {
    let heard = 0;
    socket.on("error", reject);
    socket.on("open", () => {
      for (const payload of payloads) socket.send(payload);
    });
    socket.on("message", () => {
      heard += 1;
      if (heard === payloads.length) socket.close();
    });
    socket.on("close", () => resolve());
  });
}
