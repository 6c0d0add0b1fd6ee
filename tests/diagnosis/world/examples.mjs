// The examples: eight causes, three healthy classes and eight chains. Others are in causes.mjs, healthy.mjs, dependencies.mjs and links.mjs.
import { busy, chain, endpoint, fleet, freshJson, inTurn, scenario, trap } from "./cases.mjs";
import { isoDate, pageOf, staticFiles } from "./sites.mjs";

export const scenarios = [
  endpoint("slow-when/response-header", "GET /forecast", (world, rng) => ({
    ask: () => ({ query: { city: rng.int(1, 90) } }),
    reply: () => {
      const isMiss = rng.chance(0.25);
      return { headers: { "cf-cache-status": isMiss ? "MISS" : "HIT" }, wait: world.latency(isMiss ? 300 : 35) };
    },
    label: ({ at }) => ({
      truth: [at("slow-when", { attribute: { name: "response-header:cf-cache-status", value: "MISS" } })],
    }),
  })),
  scenario("n-plus-one/query", (world, rng) => {
    const api = world.origin("people");
    api.on("GET /groups", () => ({
      json: { users: rng.records(8, () => rng.int(1, 90_000)) },
      wait: world.latency(70),
    }));
    api.on("GET /user", () => ({ json: freshJson(world), wait: world.latency(64) }));
    const client = world.client("app");
    world.repeat([16_000, 30_000], async () => {
      const { json } = await client.get(api.url("/groups", { of: rng.hex(6) }));
      await inTurn(
        client,
        json.users.map(({ id }) => api.url("/user", { id })),
      );
    });
    return {
      truth: [{ kind: "n-plus-one", origin: api.name, path: /^\/user$/ }],
      allowed: [{ kind: "sequential-requests", origin: api.name, client: client.address }],
    };
  }),
  endpoint("retries/bad-gateway", "GET /quota", (world, rng) => {
    let broken = 0;
    return {
      clients: fleet(world, 1, "service"),
      pause: [5_000, 11_000],
      call: async (client, send) => {
        broken = rng.chance(0.4) ? rng.int(2, 4) : 0;
        const query = { account: rng.hex(8) };
        while ((await send(client, { query })).status === 502) await world.sleep(rng.between(50, 90));
      },
      reply: () =>
        broken-- > 0
          ? { status: 502, json: { error: "bad gateway" }, wait: world.latency(140) }
          : { wait: world.latency(45) },
      label: ({ at }) => ({ truth: [at("retries")], allowed: [at("errors")] }),
    };
  }),
  scenario("cors-preflights/json", (world, rng) => {
    const [page, api] = [world.origin("board"), world.origin("tasks")];
    const headers = {
      "access-control-allow-origin": page.name,
      "access-control-allow-methods": "PATCH",
      "access-control-allow-headers": "content-type",
    };
    api.on("OPTIONS /tasks/current", () => ({ status: 204, headers, wait: world.latency(90) }));
    api.on("PATCH /tasks/current", () => ({ json: freshJson(world), headers, wait: world.latency(50) }));
    busy(world, fleet(world, 2, "browser"), [8_000, 16_000], (client) =>
      client.crossOrigin(page, "PATCH", api.url("/tasks/current"), {
        json: { at: isoDate(world), done: rng.chance(0.5) },
      }),
    );
    return { truth: [{ kind: "cors-preflights", origin: api.name, path: /^\/tasks\/current$/ }] };
  }),
  endpoint("uncompressed-responses/catalogue", "GET /catalogue.json", (world, rng) => ({
    server: { gzip: false, rate: 300 },
    clients: fleet(world, 1),
    pause: [8_000, 18_000],
    ask: () => ({ query: { page: rng.hex(4) } }),
    reply: () => ({ json: freshJson(world, rng.int(300, 380)), wait: world.latency(60) }),
    label: ({ at }) => ({ truth: [at("uncompressed-responses")] }),
  })),
  endpoint("unchanged-refetches/config", "GET /config", (world, rng) => {
    const config = { features: rng.records(60) };
    return {
      clients: fleet(world, 2),
      pause: [11_000, 18_000],
      call: (client, send) => (rng.chance(0.6) ? send(client) : null),
      reply: () => ({ json: config, wait: world.latency(110) }),
      label: ({ at }) => ({ truth: [at("unchanged-refetches")] }),
    };
  }),
  endpoint("new-connections/client", "GET /lookup", (world, rng) => ({
    server: { protocol: "HTTP/1.1", rtt: 30, tls: 55 },
    clients: fleet(world, 1, "service", { reuse: false }),
    pause: [3_000, 8_000],
    ask: () => ({ query: { word: rng.words(2) } }),
    reply: () => ({ wait: world.latency(40) }),
    label: ({ api, clients }) => ({
      truth: [{ kind: "new-connections", origin: api.name, client: clients[0].address }],
    }),
  })),
  scenario("sequential-requests/start-screen", (world) => {
    const api = world.origin("start");
    const urls = ["/profile/me", "/news/today", "/friends/online", "/shop/offer"].map((path) => {
      api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: world.latency(110) }));
      return api.url(path);
    });
    const client = world.client("app");
    world.repeat([14_000, 28_000], () => inTurn(client, urls));
    return { truth: [{ kind: "sequential-requests", origin: api.name, client: client.address }] };
  }),
];

const healthyOne = (name, plan) => scenario(`healthy/${name}`, (world, rng) => void plan(world, rng));

export const healthy = [
  // A form whose steps depend on each other; one time in three no value shows it.
  healthyOne("pages-and-a-form", (world, rng) => {
    const api = world.origin("form");
    const paths = ["/steps/open", "/steps/address", "/steps/payment", "/steps/close"];
    for (const path of paths)
      api.on(`POST ${path}`, () => ({ json: { step: rng.token(20), at: isoDate(world) }, wait: world.latency(50) }));
    busy(world, fleet(world, 1), [20_000, 40_000], async (client) => {
      const isShown = rng.chance(0.65);
      let step;
      for (const path of paths) {
        step = (await client.post(api.url(path), { at: isoDate(world), ...(isShown ? { step } : {}) })).json.step;
        await world.sleep(rng.between(3, 10));
      }
    });
  }),
  healthyOne("tiles-and-ranges", (world, rng) => {
    const { pictures } = staticFiles(world);
    const media = world.origin("media", { rate: 25_000 });
    media.on("GET /song.ogg", () => ({ status: 206, type: "audio/ogg", size: 131_072, wait: world.latency(20) }));
    let first = 0;
    busy(world, fleet(world, 1, "browser"), [4_800, 5_200], (client) => {
      first += 131_072;
      return client.get(media.url("/song.ogg"), { headers: { range: `bytes=${first}-${first + 131_071}` } });
    });
    busy(world, fleet(world, 1, "browser"), [9_000, 20_000], (client) =>
      Promise.all(pictures.slice(0, rng.int(8, 30)).map((url) => client.get(url))),
    );
  }),
  endpoint("healthy/spread-without-cause", "GET /search", (world, rng) => ({
    clients: fleet(world, 4),
    ask: () => ({ query: { sort: rng.pick(["up", "down"]), page: rng.int(1, 5) } }),
    reply: () => ({
      json: freshJson(world, rng.int(1, 4)),
      headers: { "cf-cache-status": rng.pick(["HIT", "MISS"]) },
      wait: rng.lognormal(60, 0.4),
    }),
  })),
];

export const chains = [
  chain("login-then-profile", ({ world, rng, client, api, soon }) => {
    api.on("POST /token", () => ({ json: { token: rng.token(30) }, wait: world.latency(50) }));
    api.on("GET /profile", () => ({ json: freshJson(world), wait: world.latency(40) }));
    return async () => {
      const login = await client.post(api.url("/token"), { pin: rng.digits(4) });
      await soon();
      return {
        proven: [
          [login, await client.get(api.url("/profile"), { headers: { authorization: `Bearer ${login.json.token}` } })],
        ],
      };
    };
  }),
  chain("join-after-the-slowest", ({ world, rng, client, api, soon }) => {
    for (const [path, wait] of Object.entries({ "/one": 30, "/two": 80, "/three": 300 }))
      api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: rng.between(wait, wait * 1.2) }));
    api.on("GET /join", () => ({ json: freshJson(world), wait: world.latency(50) }));
    return async () => {
      const [, , slowest] = await Promise.all(["/one", "/two", "/three"].map((path) => client.get(api.url(path))));
      await soon();
      return { sequential: [[slowest, await client.get(api.url("/join"))]] };
    };
  }),
  chain("token-used-a-second-later", ({ world, rng, client, api }) => {
    api.on("POST /tickets", () => ({ json: { ticket: rng.token(28) }, wait: world.latency(50) }));
    api.on("GET /seats", () => ({ json: freshJson(world), wait: world.latency(40) }));
    return async () => {
      const opened = await client.post(api.url("/tickets"), { nonce: rng.hex(8) });
      await world.sleep(rng.between(900, 1_400));
      return { proven: [[opened, await client.get(api.url("/seats", { ticket: opened.json.ticket }))]] };
    };
  }),
  chain(
    "style-found-early",
    ({ world, rng, client, api }) => {
      let style = "";
      api.on("GET /page", () => ({
        type: "text/html",
        text: pageOf(world, [style]),
        wait: world.latency(40),
        receive: rng.between(300, 400),
      }));
      api.on("GET /styles/*", () => ({ type: "text/css", text: rng.words(60), wait: world.latency(25) }));
      return async () => {
        style = api.url(`/styles/${rng.hex(10)}.css`);
        let css;
        const onFirstByte = () => world.spawn(async () => (css = await client.get(style)), rng.between(40, 90));
        const page = await client.get(api.url("/page", { n: rng.hex(4) }), { onFirstByte });
        return { proven: [[page, css]] };
      };
    },
    { kind: "browser" },
  ),
  trap("value-known-before", { known: { tenant: "acme-corp" }, json: { tenant: "acme-corp" } }),
  trap("state-active", { json: { state: "active" }, query: { status: "active" } }),
  trap("balancer-cookie", {}, { server: { balancer: "ROUTEID" } }),
  chain(
    "etag",
    ({ world, rng, client, api, soon }) => {
      const text = { body: rng.words(30) };
      api.on("GET /terms", () => ({ json: text, etag: true, wait: world.latency(30) }));
      return async () => {
        const first = await client.get(api.url("/terms"));
        await soon();
        return { forbidden: [[first, await client.get(api.url("/terms"))]] };
      };
    },
    { kind: "browser" },
  ),
];
