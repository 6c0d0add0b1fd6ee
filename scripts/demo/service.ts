import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createServer as createTlsServer, type SecureContext } from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { WebSocketServer } from "ws";

/** The hosts of the sample shop. No name server knows them; host overrides route them to the service. */
export const HOSTS = ["api.shop.test", "auth.shop.test", "cdn.shop.test", "events.shop.test"] as const;

export interface DemoService {
  readonly port: number;
  stop(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/**
 * A local service with an example of each cause of slow traffic. `contextFor`: returns the certificate for a host name.
 */
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
    // The demo ignores request bodies.
  }
  const url = new URL(request.url ?? "/", `https://${request.headers.host}`);
  const found = ROUTES.find(
    ([method, host, path]) => method === request.method && host === url.hostname && path.test(url.pathname),
  );
  if (found === undefined) return json(response, 404, { error: "no such route" });
  await found[3](request, response);
}

const ROUTES: readonly (readonly [method: string, host: string, path: RegExp, answer: Answer])[] = [
  // A chain of token, user and cart: each request needs the response before it.
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
    slowly(40, 0.3, (_, response) => json(response, 200, { items: products(4), at: Date.now() })),
  ],
  // A redirect, which costs each visit a round trip.
  ["GET", "api.shop.test", /^\/v1\/home$/, slowly(60, 0.2, (_, response) => moved(response, "/v1/home/"))],
  [
    "GET",
    "api.shop.test",
    /^\/v1\/home\/$/,
    slowly(30, 0.2, (_, response) => fresh(response, { greeting: "Welcome" })),
  ],
  // Requests that do not depend on each other, sent one after another.
  [
    "GET",
    "api.shop.test",
    /^\/v1\/(?:banners|categories|promotions|footer)$/,
    slowly(55, 0.2, (_, response) => fresh(response, { blocks: products(3) })),
  ],
  // Requested twice, by two parts of a page, with the same response.
  [
    "GET",
    "api.shop.test",
    /^\/v1\/config$/,
    slowly(70, 0.2, (_, response) => json(response, 200, { currency: "EUR" })),
  ],
  // Polled every second, although the response rarely changes.
  [
    "GET",
    "api.shop.test",
    /^\/v1\/notifications$/,
    slowly(40, 0.2, (_, response) => json(response, 200, { unread: 0 })),
  ],
  ["GET", "api.shop.test", /^\/v1\/suggest$/, slowly(25, 0.2, limited)],
  ["OPTIONS", "api.shop.test", /^\/v1\/checkout$/, slowly(150, 0.2, preflight)],
  // Slow, sometimes very slow, and with a Server-Timing header.
  ["GET", "api.shop.test", /^\/v1\/search$/, slowly(180, 0.6, search)],
  // Slow on a cache miss, which a response header reports.
  ["GET", "api.shop.test", /^\/v1\/recommendations$/, cached],
  [
    "GET",
    "api.shop.test",
    /^\/v1\/products$/,
    slowly(60, 0.4, (_, response) => compressed(response, { products: products(200), at: Date.now() })),
  ],
  // Requested one by one: the N+1 pattern.
  [
    "GET",
    "api.shop.test",
    /^\/v1\/products\/\d+\/stock$/,
    slowly(18, 0.3, (_, response) => fresh(response, { stock: 3 })),
  ],
  // Requests that fail.
  ["POST", "api.shop.test", /^\/v1\/checkout$/, slowly(350, 0.5, checkout)],
  [
    "GET",
    "api.shop.test",
    /^\/v1\/inventory$/,
    slowly(50, 0.3, (_, response) => json(response, Math.random() < 0.2 ? 503 : 200, { free: 7, at: Date.now() })),
  ],
  // Large responses: an image that cannot be compressed, and text that is not compressed.
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
  ["GET", "cdn.shop.test", /^\/catalogue\.pdf$/, slowly(20, 0.3, large)],
  ["GET", "cdn.shop.test", /^\/assets\/app\.css$/, slowly(10, 0.3, (_, response) => notModified(response))],
  ["GET", "events.shop.test", /^\/v1\/stream$/, stream],
];

const hero = randomBytes(420 * 1024);
/** The bytes of a twelfth of the catalogue. */
const catalogue = randomBytes(80 * 1024);
/** When each client asked for suggestions. */
const suggested = new Map<string, readonly number[]>();
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
  compressed(response, { hits: products(Math.random() < 0.03 ? 3_000 : 60), at: Date.now() }, "br");
}

async function cached(_: IncomingMessage, response: ServerResponse): Promise<void> {
  const isMiss = Math.random() < 0.2;
  await pause(isMiss ? around(700, 0.2) : around(40, 0.3));
  response.setHeader("X-Cache", isMiss ? "MISS" : "HIT");
  fresh(response, { products: products(12) });
}

/** Limits each client to two requests in ten seconds. */
function limited(request: IncomingMessage, response: ServerResponse): void {
  const client = request.headers["user-agent"] ?? "";
  const now = Date.now();
  const recent = (suggested.get(client) ?? []).filter((at) => now - at < 10_000);
  const isTooMuch = recent.length >= 2;
  suggested.set(client, isTooMuch ? recent : [...recent, now]);
  if (isTooMuch) response.setHeader("Retry-After", "1");
  if (isTooMuch) json(response, 429, { error: "slow down" });
  else fresh(response, { suggestions: ["shoes", "hat"] });
}

/** Answers a preflight; browsers must not cache the answer. */
function preflight(_: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(204, {
      "Access-Control-Allow-Origin": "https://shop.test",
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers": "content-type",
      "Access-Control-Max-Age": "0",
    })
    .end();
}

/** Sends a large body slowly, in pieces. */
async function large(_: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces = 12;
  response.writeHead(200, { "Content-Type": "application/pdf", "Content-Length": pieces * catalogue.length });
  for (let piece = 0; piece < pieces; piece += 1) {
    response.write(catalogue);
    await pause(40);
  }
  response.end();
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

function moved(response: ServerResponse, location: string): void {
  response.writeHead(301, { Location: location }).end();
}

/** Sends a value with two further fields, which differ in each response, as in live systems. */
function fresh(response: ServerResponse, value: object): void {
  json(response, 200, { ...value, at: Date.now(), request: randomUUID() });
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

/** Answers after a log-normal time: `median` in ms, `spread` is the standard deviation of the logarithm. */
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
