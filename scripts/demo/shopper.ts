// A customer of the demo shop, as a program of its own. It uses Node's fetch and WebSocket; the environment names the
// proxy (NODE_USE_ENV_PROXY, HTTPS_PROXY, NODE_EXTRA_CA_CERTS), as the Setup Hub shows.
import { setTimeout as pause } from "node:timers/promises";

/** Each shopper has a User-Agent of its own, so that Weir counts it as a client of its own. */
const AGENT = { "User-Agent": process.argv[2] ?? "shopper" };

const API = "https://api.shop.test";
const AUTH = "https://auth.shop.test";
const CDN = "https://cdn.shop.test";

process.on("disconnect", () => process.exit(0));
let visits = 0;
listen();
void poll();
for (;;) {
  try {
    await visit();
  } catch {
    // The proxy was stopped or is busy; the shopper tries again later.
    await pause(2_000);
  }
  await pause(400 + Math.random() * 1_600);
}

/** A visit to the shop, with mistakes that pages make. Each mistake leads to a finding. */
async function visit(): Promise<void> {
  if (visits % 6 === 0) await Promise.all(["/assets/app.js", "/img/hero-1600.avif"].map((path) => get(CDN + path)));
  if (visits % 6 === 3) await get(`${CDN}/catalogue.pdf`);
  visits += 1;
  await Promise.all([get(`${CDN}/assets/app.css`), get(`${API}/v1/home`)]);
  const token = (await read(
    await fetch(`${AUTH}/oauth/token`, { method: "POST", headers: AGENT, body: "grant_type=demo" }),
  )) as {
    token: string;
  };
  await get(`${AUTH}/oauth/userinfo`, token.token);
  await Promise.all([get(`${API}/v1/cart`, token.token), get(`${API}/v1/products`)]);
  await Promise.all(["home", "cart"].map((slot) => get(`${API}/v1/recommendations?slot=${slot}`)));
  await pause(120);
  for (const part of ["banners", "categories", "promotions", "footer"]) await get(`${API}/v1/${part}`);
  await pause(400);
  const words = ["shoes", "hat", "blue scarf"][Math.floor(Math.random() * 3)] ?? "";
  await asLimited(`${API}/v1/suggest?q=${encodeURIComponent(words)}`);
  await get(`${API}/v1/search?q=${encodeURIComponent(words)}`);
  await pause(400);
  for (let product = 1; product <= 8; product += 1) await get(`${API}/v1/products/${product}/stock`);
  await pause(400);
  await Promise.all([get(`${API}/v1/config`), pause(20).then(() => get(`${API}/v1/config`))]);
  await again(`${API}/v1/inventory`);
  if (Math.random() < 0.7) await checkOut(token.token);
  if (Math.random() < 0.1) await get("https://events.shop.test/v1/stream");
}

/** Sends a preflight and then the request, like a page of another origin. */
async function checkOut(cart: string): Promise<void> {
  const origin = { ...AGENT, Origin: "https://shop.test" };
  const asked = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type" };
  await read(await fetch(`${API}/v1/checkout`, { method: "OPTIONS", headers: { ...origin, ...asked } }));
  const headers = { ...origin, "Content-Type": "application/json" };
  await read(await fetch(`${API}/v1/checkout`, { method: "POST", headers, body: JSON.stringify({ cart }) }));
}

/** Sends the request, up to three times while the server fails. */
async function again(url: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const response = await fetch(url, { headers: AGENT });
    await read(response);
    if (response.status < 500) return;
    await pause(60);
  }
}

/** Sends the request again after Retry-After while the server limits requests, up to 12 times. */
async function asLimited(url: string): Promise<void> {
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const response = await fetch(url, { headers: AGENT });
    await read(response);
    if (response.status !== 429) return;
    await pause(1_000 * Number(response.headers.get("retry-after") ?? 1));
  }
}

/** Sends a request every second, at the same time as the visits. */
async function poll(): Promise<never> {
  for (let next = performance.now(); ; next += 1_000) {
    await pause(Math.max(0, next - performance.now()));
    await get(`${API}/v1/notifications`).catch(() => {});
  }
}

async function get(url: string, token?: string): Promise<unknown> {
  return read(
    await fetch(url, { headers: token === undefined ? AGENT : { ...AGENT, Authorization: `Bearer ${token}` } }),
  );
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.headers.get("content-type") === "application/json" ? JSON.parse(text) : text;
}

/** Listens to prices over a WebSocket, and opens a new WebSocket when the last was closed. */
function listen(): void {
  const socket = new WebSocket("wss://events.shop.test/v1/prices");
  const hello = setInterval(
    () => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ watch: "A-100" })),
    3_000,
  );
  socket.addEventListener("close", () => {
    clearInterval(hello);
    setTimeout(listen, 5_000);
  });
  setTimeout(() => socket.close(1000, "the shopper leaves"), 20_000);
}
