// Healthy background traffic: a shop in a browser, an app's feed, a service's nightly job, live updates.

const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" };
const A_DAY = { "cache-control": "public, max-age=86400" };

export const isoDate = (world) => new Date(world.epoch + Math.floor(world.now)).toISOString();

/** An HTML page that names its style sheet, script and pictures, and carries a one-time token. */
export function pageOf(world, assets, text = "") {
  const tags = assets.map((url) => {
    if (/\.css$/.test(url)) return `<link rel="stylesheet" href="${url}">`;
    return /\.m?js$/.test(url) ? `<script src="${url}" defer></script>` : `<img src="${url}" alt="">`;
  });
  return `<!doctype html><html><head><meta name="csrf" content="${world.rng.token(32)}">\n${tags.join("\n")}\n</head><body>
<p>${world.rng.words(60)}</p>${text}</body></html>`;
}

export const assetsOf = (html) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url);

/** Static files: a build's scripts and style sheets, and pictures; cached by browsers. */
export function staticFiles(world, options) {
  const { rng } = world;
  const build = rng.hex(8);
  const texts = new Map();
  const textOf = (path) => texts.get(path) ?? texts.set(path, `/* ${path} */ ${rng.words(120)}`).get(path);
  const origin = world.origin("static", options);
  origin.on("GET /build/*", ({ path }) => ({
    ...{ type: path.endsWith(".css") ? "text/css" : "text/javascript", text: textOf(path) },
    ...{ wait: world.latency(13), headers: IMMUTABLE },
  }));
  origin.on("GET /img/*", () => ({
    type: "image/webp",
    size: rng.int(6_000, 18_000),
    wait: world.latency(15),
    headers: A_DAY,
  }));
  const pictures = Array.from({ length: 40 }, () => origin.url(`/img/${rng.hex(12)}.webp`));
  return { origin, build: [origin.url(`/build/site.${build}.css`), origin.url(`/build/site.${build}.js`)], pictures };
}

/** Loads everything that a page names, in parallel. */
export async function loadAssets(browser, page) {
  const { world } = browser;
  await world.sleep(world.rng.between(3, 12));
  await Promise.all(
    assetsOf(page.text).map((url) =>
      browser.get(url, { headers: { referer: page.url, "sec-fetch-site": "same-site" } }),
    ),
  );
  await world.sleep(world.rng.between(4, 15));
}

/** Visitors of a shop over HTTP/2: pages, cached assets, two calls per page, a basket that is revalidated. */
export function shop(world, { visitors = 2, think = [6_000, 17_000] } = {}) {
  const { rng } = world;
  const domain = world.domain();
  const { build, pictures } = staticFiles(world, { domain });
  const [www, api] = [world.origin("www", { domain, balancer: "SRVGROUP" }), world.origin("api", { domain })];
  const products = Array.from({ length: 30 }, () => ({ id: rng.hex(10), picture: rng.pick(pictures) }));
  const listing = () => {
    const shown = Array.from({ length: 5 }, () => rng.pick(products));
    const links = shown.map(({ id }) => `<a data-id="${id}">${rng.words(2)}</a>`).join("");
    const text = pageOf(world, [...build, ...new Set(shown.map(({ picture }) => picture))], links);
    return { type: "text/html; charset=utf-8", text, wait: world.latency(55) };
  };
  const product = () => ({
    type: "text/html; charset=utf-8",
    text: pageOf(world, [...build, rng.pick(pictures)]),
    wait: world.latency(60),
  });
  const stockOf = (id) =>
    rng.chance(0.015)
      ? { status: 404, json: { error: "unknown" } }
      : { json: { id, at: isoDate(world), pieces: rng.int(0, 400) } };
  const baskets = new Map();
  const basketOf = ({ address }) =>
    baskets.get(address) ?? baskets.set(address, { lines: [], currency: "EUR" }).get(address);
  www.on("GET /", listing).on("GET /c/*", listing).on("GET /p/*", product);
  api.on("GET /offers", () => ({ json: { at: isoDate(world), offers: rng.records(3) }, wait: world.latency(38) }));
  api.on("GET /products/*/stock", ({ path }) => ({ ...stockOf(path.split("/")[2]), wait: world.latency(33) }));
  api.on("GET /basket", ({ client }) => ({ json: basketOf(client), etag: true, wait: world.latency(32) }));
  api.on("POST /basket/lines", ({ client, body }) => {
    basketOf(client).lines.push(body.product);
    return { status: 201, json: { line: rng.hex(12), product: body.product }, wait: world.latency(48) };
  });
  const visit = async (browser) => {
    const page = await browser.get(www.url(rng.pick(["/", "/c/garden", "/c/kitchen", "/c/lights"])));
    await loadAssets(browser, page);
    await Promise.all([browser.get(api.url("/basket")), browser.get(api.url("/offers"))]);
    if (rng.chance(0.4)) return;
    await world.sleep(rng.between(...think));
    const id = rng.pick([...page.text.matchAll(/data-id="(\w+)"/g)])[1];
    await loadAssets(browser, await browser.get(www.url(`/p/${id}`)));
    await browser.get(api.url(`/products/${id}/stock`));
    if (rng.chance(0.6)) return;
    await world.sleep(rng.between(...think));
    await browser.post(api.url("/basket/lines"), { product: id, csrf: /content="(\w+)"/.exec(page.text)[1] });
  };
  for (let left = visitors; left > 0; left -= 1) {
    const browser = world.client("browser");
    world.repeat(think, () => visit(browser));
  }
}

/** A service that logs in, lists orders and works on one or two of them, now and then. */
export function backOffice(world, { pause = [15_000, 40_000] } = {}) {
  const { rng } = world;
  const api = world.origin("orders", { protocol: "HTTP/1.1", headers: { "cache-control": "no-store" } });
  const order = ({ path }) => ({
    json: { id: path.slice(11), revision: rng.token(16), lines: rng.records(2) },
    wait: world.latency(34),
  });
  api.on("POST /oauth/token", () => ({
    json: { access_token: rng.token(48), expires_in: 60 },
    wait: world.latency(52),
  }));
  api.on("GET /v2/orders", () => ({
    json: { orders: rng.records(4, () => rng.uuid()), next: rng.token(24) },
    wait: world.latency(46),
  }));
  api.on("GET /v2/orders/*", order).on("PATCH /v2/orders/*", order);
  const service = world.client("service");
  const step = () => world.sleep(rng.between(1, 9));
  world.repeat(pause, async () => {
    const login = await service.post(api.url("/oauth/token"), { client: "night-shift", nonce: rng.token(12) });
    const headers = { authorization: `Bearer ${login.json.access_token}` };
    await step();
    const list = await service.get(api.url("/v2/orders", { state: "open" }), { headers });
    for (const { id } of list.json.orders.slice(0, rng.int(1, 2))) {
      await step();
      const { json } = await service.get(api.url(`/v2/orders/${id}`), { headers });
      await step();
      await service.request("PATCH", api.url(`/v2/orders/${id}`), {
        headers,
        json: { revision: json.revision, note: rng.words(3) },
      });
    }
  });
}

/** An app: its user scrolls through a feed page by page, and it requests notices and sends events. */
export function appFeed(world, { pause = [9_000, 24_000] } = {}) {
  const { rng } = world;
  const api = world.origin("feed", { headers: { "strict-transport-security": "max-age=31536000" } });
  api.on("GET /v1/feed", () => ({ json: { posts: rng.records(5), cursor: rng.token(28) }, wait: world.latency(62) }));
  api.on("GET /v1/notices", () => ({ json: { at: isoDate(world), unread: rng.int(0, 9) }, wait: world.latency(24) }));
  api.on("POST /v1/events", () => ({ status: 204, wait: world.latency(19) }));
  const app = world.client("app", { headers: { "accept-language": "en-GB" } });
  let cursor;
  world.repeat(pause, async () => {
    const [feed] = await Promise.all([app.get(api.url("/v1/feed", { cursor })), app.get(api.url("/v1/notices"))]);
    cursor = rng.chance(0.2) ? undefined : feed.json.cursor;
  });
  world.repeat([14_000, 52_000], () =>
    app.post(api.url("/v1/events"), { at: isoDate(world), screen: rng.words(1), seconds: rng.int(1, 40) }),
  );
}

/** An event stream whose events come about every two seconds. */
export function liveUpdates(world) {
  const { rng } = world;
  const live = world.origin("live");
  const event = () => ({
    after: rng.lognormal(1_900, 0.25),
    data: JSON.stringify({ at: rng.hex(8), value: rng.int(1, 900) }),
  });
  const stream = () => [
    { after: rng.between(5, 60), data: '{"hello":true}' },
    ...Array.from({ length: rng.int(15, 40) }, event),
  ];
  live.on("GET /updates", () => ({
    type: "text/event-stream",
    stream: stream(),
    wait: world.latency(22),
    headers: { "cache-control": "no-cache" },
  }));
  const browser = world.client("browser");
  world.repeat([20_000, 60_000], () => browser.get(live.url("/updates"), { headers: { accept: "text/event-stream" } }));
}

/** The background traffic of a session: about 150 to 600 exchanges of several clients. */
export function background(world) {
  shop(world, { visitors: 2 });
  backOffice(world);
  appFeed(world);
  if (world.rng.chance(0.5)) liveUpdates(world);
}

/** Less background traffic, for short sessions. */
export function quiet(world) {
  backOffice(world);
  appFeed(world);
}
