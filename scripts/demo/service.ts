import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createServer as createTlsServer, type SecureContext } from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { WebSocketServer } from "ws";

/** The made-up shop. Its names resolve nowhere; the proxy is told where they are. */
export const HOSTS = ["api.shop.test", "auth.shop.test", "cdn.shop.test", "events.shop.test"] as const;

export interface DemoService {
  readonly port: number;
  stop(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A local service with something of everything that makes traffic slow. `contextFor`: its certificate for a host name. */
export async function startService(contextFor: (host: string) => SecureContext): Promise<DemoService> {
  const http = createServer((request, response) => {
    void answer(request, response);
  });
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on("message", (data, binary) => client.send(data, { binary }));
      const prices = setInterval(
        () => client.send(JSON.stringify({ sku: "A-100", price: around(20, 0.2).toFixed(2) })),
        400,
      );
      client.on("close", () => clearInterval(prices));
    });
  });
  const tls = createTlsServer({
    ALPNProtocols: ["http/1.1"],
    SNICallback: (host, done) => done(null, contextFor(host)),
  });
  tls.on("secureConnection", (socket) => http.emit("connection", socket));
  tls.on("tlsClientError", () => {});
  const open = new Set<{ destroy(): void }>();
  tls.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => tls.listen(0, "127.0.0.1", resolve));
  return {
    port: (tls.address() as AddressInfo).port,
    stop: async () => {
      for (const client of sockets.clients) client.terminate();
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => tls.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request) {
    // The body's bytes are of no use to a demo.
  }
  const url = new URL(request.url ?? "/", `https://${request.headers.host}`);
  const found = ROUTES.find(
    ([method, host, path]) => method === request.method && host === url.hostname && path.test(url.pathname),
  );
  if (found === undefined) return json(response, 404, { error: "no such route" });
  await found[3](request, response);
}

const ROUTES: readonly (readonly [method: string, host: string, path: RegExp, answer: Answer])[] = [
  // A chain: token, then who that is, then what they have; each needs the one before.
  [
    "POST",
    "auth.shop.test",
    /^\/oauth\/token$/,
    slowly(90, 0.3, (_, response) => json(response, 200, { token: randomUUID() })),
  ],
  [
    "GET",
    "auth.shop.test",
    /^\/oauth\/userinfo$/,
    slowly(25, 0.2, (_, response) => json(response, 200, { id: "usr_4417", name: "Ada" })),
  ],
  [
    "GET",
    "api.shop.test",
    /^\/v1\/cart$/,
    slowly(40, 0.3, (_, response) => json(response, 200, { items: products(4) })),
  ],
  // Slow, with a heavy tail, and honest about where the time went.
  ["GET", "api.shop.test", /^\/v1\/search$/, slowly(180, 0.6, search)],
  // Erratic: mostly quick, now and then ten times that.
  ["GET", "api.shop.test", /^\/v1\/recommendations$/, erratic],
  [
    "GET",
    "api.shop.test",
    /^\/v1\/products$/,
    slowly(60, 0.4, (_, response) => compressed(response, { products: products(200) })),
  ],
  // Asked one by one: the N+1 pattern.
  [
    "GET",
    "api.shop.test",
    /^\/v1\/products\/\d+\/stock$/,
    slowly(12, 0.3, (_, response) => json(response, 200, { stock: 3 })),
  ],
  // Failing.
  ["POST", "api.shop.test", /^\/v1\/checkout$/, slowly(350, 0.5, checkout)],
  [
    "GET",
    "api.shop.test",
    /^\/v1\/inventory$/,
    slowly(50, 0.3, (_, response) => json(response, Math.random() < 0.1 ? 503 : 200, { free: 7 })),
  ],
  // Large: an image that does not compress, text that was forgotten to be compressed.
  [
    "GET",
    "cdn.shop.test",
    /^\/img\/hero-1600\.avif$/,
    slowly(20, 0.3, (_, response) => send(response, "image/avif", hero)),
  ],
  [
    "GET",
    "cdn.shop.test",
    /^\/assets\/app\.js$/,
    slowly(15, 0.3, (_, response) => send(response, "text/javascript", script)),
  ],
  ["GET", "cdn.shop.test", /^\/assets\/app\.css$/, slowly(10, 0.3, (_, response) => notModified(response))],
  ["GET", "events.shop.test", /^\/v1\/stream$/, stream],
];

const hero = randomBytes(420 * 1024);
const script = Buffer.from("export const greeting = 'hello from the demo shop';\n".repeat(4_000));

function products(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Product ${index + 1}`,
    price: 9.9 + index,
    tags: ["new", "sale"],
  }));
}

function search(_: IncomingMessage, response: ServerResponse): void {
  const database = around(120, 0.4);
  response.setHeader("Server-Timing", `db;dur=${database.toFixed(1)}, render;dur=8.2`);
  compressed(response, { hits: products(Math.random() < 0.03 ? 3_000 : 60) }, "br");
}

async function erratic(_: IncomingMessage, response: ServerResponse): Promise<void> {
  await pause(Math.random() < 0.07 ? around(900, 0.2) : around(70, 0.3));
  json(response, 200, { products: products(12) });
}

function checkout(_: IncomingMessage, response: ServerResponse): void {
  if (Math.random() < 0.2) json(response, 502, { error: { code: "payment_upstream_timeout", retryable: true } });
  else json(response, 201, { order: `ord_${randomBytes(3).toString("hex")}` });
}

async function stream(_: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  for (let index = 0; index < 8; index += 1) {
    response.write(`id: ${index}\nevent: order\ndata: {"order":${index}}\n\n`);
    await pause(250);
  }
  response.end();
}

function notModified(response: ServerResponse): void {
  response.writeHead(304, { ETag: '"demo"' }).end();
}

function json(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response
    .writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) })
    .end(text);
}

function compressed(response: ServerResponse, value: unknown, coding: "gzip" | "br" = "gzip"): void {
  const text = JSON.stringify(value);
  const bytes = coding === "br" ? brotliCompressSync(text) : gzipSync(text);
  response.setHeader("Content-Encoding", coding);
  send(response, "application/json", bytes);
}

function send(response: ServerResponse, type: string, bytes: Buffer): void {
  response.setHeader("ETag", `"${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}"`);
  response.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length }).end(bytes);
}

/** Answers after a log-normal time: `median` ms, `spread` the standard deviation of its logarithm. */
function slowly(median: number, spread: number, then: Answer): Answer {
  return async (request, response) => {
    await pause(around(median, spread));
    await then(request, response);
  };
}

function around(median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return median * Math.exp(spread * normal);
}
