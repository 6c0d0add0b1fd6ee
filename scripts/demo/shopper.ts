// One customer of the demo shop, as a program of its own: Node's own fetch and WebSocket, pointed at the proxy by the
// environment (NODE_USE_ENV_PROXY, HTTPS_PROXY, NODE_EXTRA_CA_CERTS), as the Setup Hub tells a user to do it.
import { setTimeout as pause } from "node:timers/promises";

/** Two shoppers are two clients to Weir, as two programs would be. */
const AGENT = { "User-Agent": process.argv[2] ?? "shopper" };

const API = "https://api.shop.test";
const AUTH = "https://auth.shop.test";
const CDN = "https://cdn.shop.test";

process.on("disconnect", () => process.exit(0));
listen();
for (;;) {
  try {
    await visit();
  } catch {
    // The proxy was stopped or is busy: a shopper comes back later.
    await pause(2_000);
  }
  await pause(400 + Math.random() * 1_600);
}

async function visit(): Promise<void> {
  await Promise.all(["/assets/app.js", "/assets/app.css", "/img/hero-1600.avif"].map((path) => get(CDN + path)));
  const token = (await read(
    await fetch(`${AUTH}/oauth/token`, { method: "POST", headers: AGENT, body: "grant_type=demo" }),
  )) as {
    token: string;
  };
  await get(`${AUTH}/oauth/userinfo`, token.token);
  await Promise.all([get(`${API}/v1/cart`, token.token), get(`${API}/v1/products`), get(`${API}/v1/recommendations`)]);
  await get(
    `${API}/v1/search?q=${encodeURIComponent(["shoes", "hat", "blue scarf"][Math.floor(Math.random() * 3)] ?? "")}`,
  );
  for (let product = 1; product <= 6; product += 1) await get(`${API}/v1/products/${product}/stock`);
  await get(`${API}/v1/inventory`);
  if (Math.random() < 0.5) {
    await read(
      await fetch(`${API}/v1/checkout`, {
        method: "POST",
        headers: { ...AGENT, "Content-Type": "application/json" },
        body: JSON.stringify({ cart: token.token }),
      }),
    );
  }
  if (Math.random() < 0.1) await get("https://events.shop.test/v1/stream");
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

/** A live price feed over a WebSocket that is opened anew when it ends. */
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
