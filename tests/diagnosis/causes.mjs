// Sessions with one planted cause each: at least two classes for every kind of finding that a single recording can
// show.
import { busy, endpoint, fleet, freshJson, inTurn, scenario } from "./world/cases.mjs";
import { isoDate, pageOf, staticFiles } from "./world/sites.mjs";

const slowWhen = (name, value) => (at) => [
  at("slow-when", { attribute: { name, ...(value === undefined ? {} : { value }) } }),
];

/** One endpoint whose slow requests share an attribute. */
const attribute = (name, route, truth, plan, options) =>
  endpoint(
    `slow-when/${name}`,
    route,
    (world, rng) => ({ ...plan(world, rng), label: ({ at, ...more }) => ({ truth: truth(at, more) }) }),
    options,
  );

const slow = [
  attribute("query-value", "GET /prices", slowWhen("query:region", "apac"), (world, rng) => ({
    ask: () => ({ query: { region: rng.pick(["emea", "amer", "apac", "latam"]), sku: rng.int(1, 400) } }),
    reply: ({ query }) => ({ wait: world.latency(query.get("region") === "apac" ? 420 : 48) }),
  })),
  attribute("query-presence", "GET /members", slowWhen("query:include"), (world, rng) => ({
    ask: () => ({
      query: {
        team: rng.int(1, 60),
        ...(rng.chance(0.3) ? { include: rng.pick(["photo", "manager", "badges"]) } : {}),
      },
    }),
    reply: ({ query }) => ({ wait: world.latency(query.has("include") ? 380 : 52) }),
  })),
  attribute("body-field", "POST /search", slowWhen("body:filter.state", "archived"), (world, rng) => ({
    ask: () => ({ json: { text: rng.words(2), filter: { state: rng.pick(["open", "paid", "archived"]), days: 30 } } }),
    reply: ({ body }) => ({ wait: world.latency(body.filter.state === "archived" ? 400 : 55) }),
  })),
  attribute("cookie", "GET /start", slowWhen("cookie:beta", "present"), (world, rng) => ({
    clients: fleet(world, 3, "service"),
    ask: () => ({
      query: { n: rng.hex(6) },
      headers: { cookie: `sid=${rng.hex(12)}${rng.chance(0.3) ? "; beta=1" : ""}` },
    }),
    reply: ({ headers }) => ({ wait: world.latency(headers.cookie.includes("beta") ? 380 : 50) }),
  })),
  scenario("slow-when/path-segment", (world, rng) => {
    const api = world.origin("tenants");
    const tenants = Array.from({ length: 26 }, (_, index) => `${rng.words(1)}-${"abcdefghijklmnopqrstuvwxyz"[index]}`);
    const [large] = tenants;
    api.on("GET /t/*/invoices", ({ path }) => ({
      json: freshJson(world),
      wait: world.latency(path.split("/")[2] === large ? 430 : 60),
    }));
    busy(world, fleet(world, 3), [2_500, 7_000], (client) =>
      client.get(api.url(`/t/${rng.chance(0.12) ? large : rng.pick(tenants)}/invoices`, { page: rng.hex(4) })),
    );
    const at = { origin: api.name, path: /^\/t\/\{id\}\/invoices$/ };
    return { truth: [{ ...at, kind: "slow-when", attribute: { name: "path:2", value: large } }] };
  }),
  scenario("slow-when/while-import", (world, rng) => {
    const api = world.origin("ledger");
    let free = 0;
    api.on("POST /import", () => {
      const wait = rng.between(1_500, 3_500);
      free = world.now + wait;
      return { json: freshJson(world), wait };
    });
    api.on("GET /balance", () => ({ json: freshJson(world), wait: Math.max(0, free - world.now) + world.latency(45) }));
    busy(world, fleet(world, 3), [1_500, 4_000], (client) => client.get(api.url("/balance", { of: rng.hex(6) })));
    busy(world, fleet(world, 1, "service"), [9_000, 16_000], (client) =>
      client.post(api.url("/import"), { batch: rng.hex(12) }),
    );
    return {
      truth: [{ kind: "slow-when", origin: api.name, path: /^\/balance$/, attribute: { name: "while:POST /import" } }],
      allowed: [{ kind: "slow-server", origin: api.name, path: /^\/import$/ }],
    };
  }),
  attribute(
    "first-use",
    "GET /tile",
    (at) => [at("slow-when", { attribute: { name: "first-use", value: "query:sheet" } })],
    (world, rng) => {
      const cached = new Set();
      return {
        ask: () => ({ query: { sheet: `s${Math.floor(60 * rng.unit() ** 1.6)}`, zoom: rng.int(1, 3) } }),
        reply: ({ query }) => {
          const isCold = !cached.has(query.get("sheet"));
          cached.add(query.get("sheet"));
          return { wait: world.latency(isCold ? 420 : 50) };
        },
      };
    },
  ),
  attribute("request-header", "GET /articles", slowWhen("request-header:accept-language", "fi"), (world, rng) => ({
    ask: () => ({ query: { tag: rng.words(1) }, headers: { "accept-language": rng.pick(["en", "sv", "fi", "nb"]) } }),
    reply: ({ headers }) => ({ wait: world.latency(headers["accept-language"] === "fi" ? 390 : 61) }),
  })),
  attribute("request-header-presence", "GET /ledger", slowWhen("request-header:x-preview"), (world, rng) => ({
    ask: () => ({ query: { month: rng.int(1, 12) }, headers: rng.chance(0.25) ? { "x-preview": "1" } : {} }),
    reply: ({ headers }) => ({ wait: world.latency(headers["x-preview"] ? 510 : 70) }),
  })),
  attribute("edge-cache", "GET /thumb", slowWhen("response-header:x-cache", "Miss"), (world, rng) => ({
    ask: () => ({ query: { of: rng.int(1, 120) } }),
    reply: () => {
      const isMiss = rng.chance(0.2);
      return {
        headers: { "x-cache": isMiss ? "Miss from edge" : "Hit from edge", age: String(isMiss ? 0 : rng.int(1, 500)) },
        wait: world.latency(isMiss ? 330 : 29),
      };
    },
  })),
  attribute("served-by", "GET /suggest", slowWhen("response-header:x-served-by", "node-c"), (world, rng) => ({
    ask: () => ({ query: { text: rng.words(1) } }),
    reply: () => {
      const node = rng.pick(["node-a", "node-b", "node-c", "node-d"]);
      return { headers: { "x-served-by": node }, wait: world.latency(node === "node-c" ? 460 : 55) };
    },
  })),
  attribute("status", "PUT /documents/current", slowWhen("status", 201), (world, rng) => ({
    ask: () => ({ json: { at: isoDate(world), text: rng.words(20) } }),
    reply: () =>
      rng.chance(0.3)
        ? { status: 201, json: freshJson(world), wait: world.latency(400) }
        : { json: freshJson(world), wait: world.latency(64) },
  })),
  attribute(
    "server-address",
    "GET /balance",
    (at, { api }) => slowWhen("server-address", api.addresses[1])(at),
    (world, rng) => ({
      server: {
        addresses: ["203.0.113.14", "203.0.113.71", "203.0.113.99"],
        protocol: "HTTP/1.1",
        keepAlive: 2_000,
        dns: 1,
        rtt: 1,
        tls: 2,
      },
      clients: fleet(world, 4),
      ask: () => ({ query: { of: rng.hex(6) } }),
      reply: ({ address }) => ({ wait: world.latency(address === "203.0.113.71" ? 380 : 58) }),
    }),
  ),
  attribute(
    "after-idle",
    "GET /report",
    slowWhen(["after-idle", "connection"]),
    (world, rng) => ({
      clients: fleet(world, 1),
      server: { keepAlive: 600_000 },
      pause: [100, 400],
      call: async (client, send) => {
        for (let left = rng.int(2, 5); left > 0; left -= 1) {
          await send(client);
          await world.sleep(rng.between(600, 1_500));
        }
        await world.sleep(rng.between(14_000, 22_000));
      },
      ask: () => ({ query: { of: rng.int(1, 500) } }),
      reply: ({ idle }) => ({ wait: world.latency(idle > 10_000 ? 700 : 60) }),
    }),
    { minutes: 9 },
  ),
  attribute(
    "client",
    "GET /inbox",
    (at, { clients }) => slowWhen("client", clients[1].address)(at),
    (world, rng) => {
      const clients = fleet(world, 4);
      return {
        clients,
        ask: () => ({ query: { page: rng.int(1, 9) } }),
        reply: ({ client }) => ({ wait: world.latency(client === clients[1] ? 450 : 57) }),
      };
    },
  ),
  attribute("request-size", "POST /translate", slowWhen("request-size"), (world, rng) => ({
    ask: () => ({ json: { text: rng.words(rng.pick([10, 20, 30, 40, 800, 1_200])) } }),
    reply: ({ body }) => ({ wait: world.latency(40 + body.text.length / 14) }),
  })),
  attribute("response-size", "GET /export", slowWhen("response-size"), (world, rng) => ({
    ask: () => ({ query: { of: rng.hex(4) } }),
    reply: () => {
      const count = rng.pick([2, 3, 5, 8, 12, 160, 220]);
      return { json: freshJson(world, count), wait: world.latency(40 + count * 2.4) };
    },
  })),
  attribute("in-flight", "GET /render", slowWhen("in-flight"), (world, rng) => ({
    clients: fleet(world, 2),
    pause: [4_000, 9_000],
    call: (client, send) => Promise.all(Array.from({ length: rng.pick([1, 1, 2, 8, 12]) }, () => send(client))),
    ask: () => ({ query: { view: rng.hex(8) } }),
    reply: ({ inFlight }) => ({ wait: world.latency(35 + inFlight * 34) }),
  })),
  attribute("warm-up", "GET /score", slowWhen("time-in-session"), (world, rng) => ({
    clients: fleet(world, 3),
    ask: () => ({ query: { of: rng.int(1, 900) } }),
    reply: () => ({ wait: world.latency(world.now < 75_000 ? 560 : 60) }),
  })),
  attribute("slow-down", "GET /totals", slowWhen("time-in-session"), (world, rng) => ({
    clients: fleet(world, 3),
    ask: () => ({ query: { day: rng.int(1, 365) } }),
    reply: () => ({ wait: world.latency(50 + world.now / 900) }),
  })),
  scenario("slow-when/operation", (world, rng) => {
    const api = world.origin("gql");
    api.on("POST /graphql", ({ body }) => ({
      json: { data: freshJson(world) },
      wait: world.latency(body.operationName === "Recommendations" ? 520 : 45),
    }));
    busy(world, fleet(world, 3), [2_500, 7_000], (client) => {
      const operationName = rng.pick(["Viewer", "Basket", "Recommendations", "Menu"]);
      return client.post(api.url("/graphql"), {
        operationName,
        query: `query ${operationName}($id: ID) { node(id: $id) { id } }`,
        variables: { id: rng.hex(8) },
      });
    });
    const at = { origin: api.name, path: /^\/graphql$/ };
    return {
      truth: [
        [
          { ...at, kind: "slow-when", attribute: { name: "operation", value: "Recommendations" } },
          { ...at, kind: "slow-server", operation: "Recommendations" },
        ],
      ],
    };
  }),
  endpoint("slow-server/search", "GET /search", (world, rng) => ({
    ask: () => ({ query: { text: rng.words(2) } }),
    reply: () => ({ wait: world.latency(640) }),
    label: ({ at }) => ({ truth: [at("slow-server")] }),
  })),
  endpoint("slow-server/server-timing", "POST /quotes", (world, rng) => ({
    pause: [2_000, 6_000],
    ask: () => ({ json: { cart: rng.hex(12), at: isoDate(world) } }),
    reply: () => {
      const wait = world.latency(420);
      return { headers: { "server-timing": `auth;dur=12.1, db;dur=${(wait * 0.8).toFixed(1)}` }, wait };
    },
    label: ({ at }) => ({ truth: [at("slow-server")] }),
  })),
  scenario("slow-server/once", (world, rng) => {
    const api = world.origin("reports");
    api.on("GET /annual", () => ({ json: freshJson(world), wait: rng.between(40_000, 90_000) }));
    const client = world.client("app");
    world.spawn(() => client.get(api.url("/annual", { of: rng.hex(6) })), rng.between(20_000, 90_000));
    return { truth: [{ kind: "slow-server", origin: api.name, path: /^\/annual$/ }] };
  }),
  // The server sends the head, and computes the body then.
  endpoint("slow-transfer/late-body", "GET /rows", (world, rng) => ({
    ask: () => ({ query: { of: rng.hex(5) } }),
    reply: () => ({ json: freshJson(world, rng.int(3, 20)), wait: world.latency(30), receive: world.latency(900) }),
    label: ({ at }) => ({ truth: [at("slow-transfer")] }),
  })),
  // One server sends slowly; the client receives quickly from others.
  scenario("slow-transfer/one-host", (world, rng) => {
    const [slow, quick] = [world.origin("legacy", { rate: rng.between(25, 60) }), world.origin("cdn")];
    const reply = () => ({ type: "image/png", size: rng.int(30_000, 90_000), wait: world.latency(40) });
    for (const origin of [slow, quick]) origin.on("GET /photo", reply);
    busy(world, fleet(world, 2, "app"), [4_000, 9_000], async (client) => {
      await client.get(quick.url("/photo", { of: rng.hex(6) }));
      await world.sleep(rng.between(2_000, 4_000));
      await client.get(slow.url("/photo", { of: rng.hex(6) }));
    });
    return {
      truth: [{ kind: "slow-transfer", origin: slow.name, path: /^\/photo$/ }],
      allowed: [{ kind: "slow-when", origin: slow.name, path: /^\/photo$/, attribute: { name: "response-size" } }],
    };
  }),
  ...[
    ["lock", 1],
    ["small-pool", 3],
  ].map(([name, workers]) =>
    endpoint(`one-at-a-time/${name}`, "GET /render", (world, rng) => {
      const free = Array.from({ length: workers }, () => 0);
      const service = rng.between(60, 140);
      return {
        clients: fleet(world, 2),
        pause: [9_000, 16_000],
        call: (client, send) => Promise.all(Array.from({ length: rng.int(3, 4) * workers + 3 }, () => send(client))),
        ask: () => ({ query: { view: rng.hex(8) } }),
        reply: () => {
          free.sort((left, right) => left - right);
          free[0] = Math.max(free[0], world.now) + rng.lognormal(service, 0.05);
          return { wait: free[0] - world.now };
        },
        label: ({ at }) => ({ truth: [at("one-at-a-time")] }),
      };
    }),
  ),
  // The whole service stands still: at a steady period, or now and then.
  ...[true, false].map((isSteady) =>
    scenario(`server-pauses/${isSteady ? "steady" : "random"}`, (world, rng) => {
      const [every, length] = [rng.between(9_000, 15_000), rng.between(400, 900)];
      const pauses = [];
      for (
        let from = rng.between(2_000, 9_000);
        from < 400_000;
        from += isSteady ? every : rng.between(0.4, 1.6) * every
      )
        pauses.push({ from, to: from + length });
      const waitFor = (work) => {
        let end = world.now + work;
        for (const { from, to } of pauses) if (from < end && to > world.now) end += to - Math.max(from, world.now);
        return end - world.now;
      };
      const api = world.origin("ledger", { protocol: "HTTP/1.1" });
      const paths = ["/accounts", "/rates", "/alerts", "/limits"];
      for (const path of paths)
        api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: waitFor(world.latency(rng.between(20, 50))) }));
      busy(world, fleet(world, 6, "service"), [100, 500], (client) =>
        client.get(api.url(rng.pick(paths), { of: rng.hex(6) })),
      );
      return { truth: [{ kind: "server-pauses", origin: api.name }] };
    }),
  ),
];

const repeats = [
  // A credential that lasts, or a setting that stays, is fetched before each call.
  ...[
    ["token", (rng) => ({ access_token: rng.token(40), expires_in: 3_600 }), "POST"],
    ["settings", (_, shard) => ({ shard }), "GET"],
  ].map(([name, answerOf, method]) =>
    scenario(`repeated-prerequisite/${name}`, (world, rng) => {
      const api = world.origin("reports", { protocol: "HTTP/1.1" });
      const shard = rng.token(16);
      api.on(`${method} /access`, () => ({ json: answerOf(rng, shard), wait: world.latency(70) }));
      for (const path of ["/sales", "/stock", "/staff"])
        api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: world.latency(80) }));
      busy(world, fleet(world, 2, "service"), [4_000, 11_000], async (client) => {
        const body = method === "POST" ? { body: "grant_type=client_credentials", type: "text/plain" } : {};
        const { json } = await client.request(method, api.url("/access"), body);
        await world.sleep(rng.between(1, 6));
        const headers = { authorization: `Bearer ${json.access_token ?? json.shard}` };
        await client.get(api.url(rng.pick(["/sales", "/stock", "/staff"]), { day: rng.int(1, 365) }), { headers });
      });
      return {
        truth: [{ kind: "repeated-prerequisite", origin: api.name, path: /^\/access$/ }],
        allowed: [{ kind: "new-connections", origin: api.name }],
      };
    }),
  ),
  scenario("n-plus-one/path-parallel", (world, rng) => {
    const api = world.origin("shopfloor", { protocol: "HTTP/1.1" });
    api.on("GET /machines", () => ({ json: { machines: rng.records(14, () => rng.uuid()) }, wait: world.latency(60) }));
    api.on("GET /machines/*/state", () => ({ json: freshJson(world), wait: world.latency(190) }));
    const client = world.client("app");
    world.repeat([11_000, 24_000], async () => {
      const { json } = await client.get(api.url("/machines", { hall: rng.hex(4) }));
      await world.sleep(rng.between(2, 8));
      await Promise.all(json.machines.map(({ id }) => client.get(api.url(`/machines/${id}/state`))));
    });
    return {
      truth: [{ kind: "n-plus-one", origin: api.name, path: /^\/machines\/[^/]+\/state$/ }],
      allowed: [
        { kind: "slow-when", origin: api.name, path: /state$/ },
        { kind: "connection-queueing", origin: api.name },
      ],
    };
  }),
  scenario("n-plus-one/graphql", (world, rng) => {
    const api = world.origin("graph", { protocol: "HTTP/1.1" });
    api.on("POST /graphql", ({ body }) => ({
      json: { data: body.operationName === "Albums" ? { albums: rng.records(9) } : freshJson(world) },
      wait: world.latency(72),
    }));
    const client = world.client("app");
    const ask = (operationName, variables) =>
      client.post(api.url("/graphql"), { operationName, query: `query ${operationName} { x }`, variables });
    world.repeat([12_000, 26_000], async () => {
      const { json } = await ask("Albums", { of: rng.hex(6) });
      for (const { id } of json.data.albums) {
        await world.sleep(rng.between(1, 6));
        await ask("Cover", { album: id });
      }
    });
    return {
      truth: [{ kind: "n-plus-one", origin: api.name, path: /^\/graphql$/, operation: "Cover" }],
      allowed: [{ kind: "sequential-requests", origin: api.name }],
    };
  }),
  // The item stands in the body alone.
  scenario("n-plus-one/body", (world, rng) => {
    const api = world.origin("cart");
    api.on("GET /lines", () => ({ json: { lines: rng.records(9, () => rng.uuid()) }, wait: world.latency(50) }));
    api.on("POST /price", () => ({ json: freshJson(world), wait: world.latency(85) }));
    busy(world, fleet(world, 2, "app"), [11_000, 22_000], async (client) => {
      const { json } = await client.get(api.url("/lines", { at: rng.hex(5) }));
      for (const { id } of json.lines) {
        await world.sleep(rng.between(1, 9));
        await client.post(api.url("/price"), { lines: [{ id, amount: 1 }] });
      }
    });
    return { truth: [{ kind: "n-plus-one", origin: api.name, path: /^\/price$/ }] };
  }),
  // The client works on each item before it asks for the next.
  scenario("n-plus-one/with-own-work", (world, rng) => {
    const api = world.origin("depot");
    api.on("GET /boxes", () => ({ json: { boxes: rng.records(9, () => rng.hex(12)) }, wait: world.latency(50) }));
    api.on("GET /boxes/*", () => ({ json: freshJson(world), wait: world.latency(120) }));
    const client = world.client("service");
    world.repeat([10_000, 20_000], async () => {
      const { json } = await client.get(api.url("/boxes", { of: rng.hex(6) }));
      for (const { id } of json.boxes) {
        await world.sleep(rng.between(90, 260));
        await client.get(api.url(`/boxes/${id}`));
      }
    });
    return {
      truth: [{ kind: "n-plus-one", origin: api.name, path: /^\/boxes\/./ }],
      allowed: [{ kind: "client-time", origin: api.name }],
    };
  }),
  scenario("n-plus-one/names", (world, rng) => {
    const api = world.origin("catalog");
    api.on("GET /tags", () => ({
      json: { tags: Array.from({ length: 11 }, () => `${rng.words(1)}-${rng.words(1)}`) },
      wait: world.latency(50),
    }));
    api.on("GET /tags/*", () => ({ json: freshJson(world), wait: world.latency(58) }));
    const client = world.client("service");
    world.repeat([10_000, 22_000], async () => {
      const { json } = await client.get(api.url("/tags", { set: rng.hex(5) }));
      await inTurn(
        client,
        json.tags.map((tag) => api.url(`/tags/${tag}`)),
      );
    });
    return {
      truth: [{ kind: "n-plus-one", origin: api.name, path: /^\/tags\/./ }],
      allowed: [{ kind: "sequential-requests", origin: api.name }],
    };
  }),
  scenario("duplicate-requests/two-components", (world, rng) => {
    const api = world.origin("account");
    const permissions = rng.records(20);
    api.on("GET /permissions", () => ({
      json: { permissions },
      headers: { "cache-control": "no-store" },
      wait: world.latency(230),
    }));
    api.on("GET /start", () => ({ json: freshJson(world), wait: world.latency(60) }));
    busy(world, fleet(world, 2, "app"), [22_000, 40_000], async (client) => {
      await client.get(api.url("/start", { n: rng.hex(5) }));
      for (let left = 3; left > 0; left -= 1) {
        await client.get(api.url("/permissions"));
        await world.sleep(rng.between(300, 1_800));
      }
    });
    return {
      truth: [
        [
          { kind: "duplicate-requests", origin: api.name, path: /^\/permissions$/ },
          { kind: "unchanged-refetches", origin: api.name, path: /^\/permissions$/ },
        ],
      ],
      allowed: [
        { kind: "unchanged-refetches", origin: api.name, path: /^\/permissions$/ },
        { kind: "slow-server", origin: api.name, path: /^\/permissions$/ },
      ],
    };
  }),
  scenario("duplicate-requests/same-search", (world, rng) => {
    const api = world.origin("finder");
    const results = new Map();
    api.on("POST /find", ({ body }) => ({
      json: results.get(body.text) ?? results.set(body.text, freshJson(world, 6)).get(body.text),
      wait: world.latency(210),
    }));
    busy(world, fleet(world, 2, "app"), [14_000, 30_000], async (client) => {
      const text = rng.words(3);
      for (let left = rng.int(2, 3); left > 0; left -= 1) {
        await client.post(api.url("/find"), { text });
        await world.sleep(rng.between(200, 900));
      }
    });
    return {
      truth: [{ kind: "duplicate-requests", origin: api.name, path: /^\/find$/ }],
      allowed: [{ kind: "slow-server", origin: api.name, path: /^\/find$/ }],
    };
  }),
  scenario("unchanged-refetches/no-validator", (world, rng) => {
    const { origin, build } = staticFiles(world);
    const font = { type: "text/css", text: `/* ${rng.words(4_000)} */` };
    const site = world.origin("theme", { gzip: false, rate: 900 });
    site.on("GET /theme.css", () => ({ ...font, wait: world.latency(150), headers: { "cache-control": "no-store" } }));
    busy(world, fleet(world, 2, "browser"), [11_000, 20_000], async (client) => {
      await client.get(site.url("/theme.css"));
      await client.get(build[0]);
    });
    return {
      truth: [{ kind: "unchanged-refetches", origin: site.name, path: /^\/theme\.css$/ }],
      allowed: [
        { kind: "uncompressed-responses", origin: site.name, path: /^\/theme\.css$/ },
        { kind: "slow-server", origin: origin.name },
      ],
    };
  }),
  endpoint("polling/unchanged", "GET /jobs/latest", (world, rng) => {
    let state = freshJson(world);
    return {
      clients: fleet(world, 1, "app"),
      pause: [1_950, 2_050],
      reply: () => {
        if (rng.chance(0.03)) state = freshJson(world);
        return { json: state, headers: { "cache-control": "no-store" }, wait: world.latency(110) };
      },
      label: ({ at }) => ({ truth: [at("polling")], allowed: [at("unchanged-refetches"), at("duplicate-requests")] }),
    };
  }),
  endpoint("polling/two-clients", "GET /status", (world, rng) => {
    let state = rng.records(5);
    return {
      clients: fleet(world, 2, "service"),
      pause: [4_800, 5_200],
      reply: () => {
        if (rng.chance(0.1)) state = rng.records(5);
        return { json: state, wait: world.latency(180) };
      },
      label: ({ at }) => ({ truth: [at("polling")], allowed: [at("unchanged-refetches"), at("duplicate-requests")] }),
    };
  }),
  endpoint("retries/reset", "GET /stock", (world, rng) => {
    let broken = 0;
    return {
      clients: fleet(world, 1, "service"),
      pause: [6_000, 12_000],
      server: { protocol: "HTTP/1.1" },
      call: async (client, send) => {
        broken = rng.chance(0.45) ? rng.int(1, 3) : 0;
        const query = { item: rng.hex(8) };
        while ((await send(client, { query })).status === 0) await world.sleep(rng.between(20, 60));
      },
      reply: () => (broken-- > 0 ? { error: "server-reset", wait: world.latency(260) } : { wait: world.latency(50) }),
      label: ({ at, api, clients }) => ({
        truth: [at("retries")],
        allowed: [at("errors"), { kind: "new-connections", origin: api.name, client: clients[0].address }],
      }),
    };
  }),
  // Failures in the words of other exporters.
  endpoint("retries/time-out", "GET /routes", (world, rng) => {
    const word = rng.pick(["timeout", "ETIMEDOUT", "NS_ERROR_NET_TIMEOUT", "net::ERR_TIMED_OUT", "read ECONNRESET"]);
    let broken = 0;
    return {
      clients: fleet(world, 2, "app"),
      pause: [9_000, 15_000],
      server: { protocol: "HTTP/1.1" },
      call: async (client, send) => {
        broken = rng.chance(0.4) ? 1 : 0;
        const query = { to: rng.hex(9) };
        while ((await send(client, { query })).status === 0) await world.sleep(rng.between(5, 40));
      },
      reply: () => (broken-- > 0 ? { error: word, wait: rng.between(1_900, 2_100) } : { wait: world.latency(60) }),
      label: ({ at, api }) => ({
        truth: [at("retries")],
        allowed: [at("errors"), { kind: "new-connections", origin: api.name }],
      }),
    };
  }),
  // The client's own time-out is shorter than some responses take.
  endpoint("retries/client-time-out", "GET /availability", (world, rng) => {
    const limit = rng.pick([300, 500, 1_000]);
    const pause = rng.pick([5, 250, 2_000]);
    let slow = 0;
    return {
      clients: fleet(world, 2, "service"),
      pause: [6_000, 12_000],
      server: { protocol: "HTTP/1.1" },
      call: async (client, send) => {
        slow = rng.chance(0.4) ? rng.int(1, 2) : 0;
        const query = { room: rng.hex(8) };
        while ((await send(client, { query })).status === 0) await world.sleep(pause);
      },
      reply: () =>
        slow-- > 0 ? { error: "net::ERR_ABORTED", wait: limit + rng.between(0, 6) } : { wait: world.latency(70) },
      label: ({ at, api, clients }) => ({
        truth: [at("retries")],
        allowed: clients.map(({ address }) => ({ kind: "new-connections", origin: api.name, client: address })),
      }),
    };
  }),
  endpoint("retries/unavailable", "POST /payments", (world, rng) => {
    let broken = 0;
    return {
      clients: fleet(world, 2, "service"),
      pause: [6_000, 14_000],
      call: async (client, send) => {
        broken = rng.chance(0.5) ? rng.int(1, 2) : 0;
        const json = { payment: rng.uuid(), amount: rng.int(100, 9_999) };
        for (let wait = 100; (await send(client, { json })).status >= 500; wait *= 2) await world.sleep(wait);
      },
      reply: () =>
        broken-- > 0
          ? { status: 500, json: { error: "later" }, wait: world.latency(310) }
          : { status: 201, wait: world.latency(80) },
      label: ({ at }) => ({ truth: [at("retries")], allowed: [at("errors")] }),
    };
  }),
  endpoint("rate-limited/retry-after", "GET /feed", (world, rng) => {
    let limited = 0;
    return {
      clients: fleet(world, 1, "service"),
      pause: [5_000, 9_000],
      call: async (client, send) => {
        limited = rng.chance(0.4) ? 1 : 0;
        const query = { since: rng.hex(8) };
        while ((await send(client, { query })).status === 429) await world.sleep(1_000);
      },
      reply: () =>
        limited-- > 0
          ? {
              status: 429,
              headers: { "retry-after": "1" },
              json: { error: "too many requests" },
              wait: world.latency(20),
            }
          : { wait: world.latency(60) },
      label: ({ at }) => ({ truth: [at("rate-limited")], allowed: [at("retries"), at("errors")] }),
    };
  }),
  endpoint("rate-limited/unavailable", "GET /rates", (world, rng) => {
    let limited = 0;
    return {
      clients: fleet(world, 2, "service"),
      pause: [7_000, 12_000],
      call: async (client, send) => {
        limited = rng.chance(0.35) ? 1 : 0;
        const query = { pair: rng.hex(6) };
        while ((await send(client, { query })).status === 503) await world.sleep(2_000);
      },
      reply: () =>
        limited-- > 0
          ? { status: 503, headers: { "retry-after": "2" }, wait: world.latency(15) }
          : { wait: world.latency(70) },
      label: ({ at }) => ({ truth: [at("rate-limited")], allowed: [at("retries"), at("errors")] }),
    };
  }),
  endpoint("errors/server", "GET /avatar", (world, rng) => ({
    ask: () => ({ query: { of: rng.hex(8) } }),
    reply: () =>
      rng.chance(0.2)
        ? { status: 500, json: { error: "no image" }, wait: world.latency(50) }
        : { wait: world.latency(45) },
    label: ({ at }) => ({ truth: [at("errors")] }),
  })),
  scenario("errors/graphql", (world, rng) => {
    const api = world.origin("data");
    api.on("POST /graphql", ({ body }) => ({
      json:
        body.operationName === "Prices" && rng.chance(0.35)
          ? { data: null, errors: [{ message: "price service failed" }] }
          : { data: freshJson(world) },
      wait: world.latency(48),
    }));
    busy(world, fleet(world, 3, "app"), [4_000, 9_000], (client) => {
      const operationName = rng.pick(["Prices", "Shops"]);
      return client.post(api.url("/graphql"), {
        operationName,
        query: `query ${operationName} { x }`,
        variables: { id: rng.hex(6) },
      });
    });
    return { truth: [{ kind: "errors", origin: api.name, path: /^\/graphql$/, operation: "Prices" }] };
  }),
];

const rounds = [
  scenario("cors-preflights/put", (world) => {
    const [page, api] = [world.origin("admin"), world.origin("backend")];
    const headers = {
      "access-control-allow-origin": page.name,
      "access-control-allow-methods": "DELETE,PUT",
      "access-control-allow-headers": "content-type",
    };
    api.on("OPTIONS /locks/mine", () => ({
      status: 200,
      headers: { ...headers, "access-control-max-age": "0" },
      wait: world.latency(120),
    }));
    api.on("PUT /locks/mine", () => ({ json: freshJson(world), headers, wait: world.latency(60) }));
    busy(world, fleet(world, 1, "browser"), [5_000, 12_000], (client) =>
      client.crossOrigin(page, "PUT", api.url("/locks/mine"), { json: { at: isoDate(world) } }),
    );
    return { truth: [{ kind: "cors-preflights", origin: api.name, path: /^\/locks\/mine$/ }] };
  }),
  scenario("redirects/slash", (world, rng) => {
    const api = world.origin("library");
    api.on("GET /books", ({ query }) => ({
      status: 301,
      headers: { location: `/books/?${query}` },
      wait: world.latency(140),
    }));
    api.on("GET /books/", () => ({ json: freshJson(world), wait: world.latency(60) }));
    busy(world, fleet(world, 2, "app"), [5_000, 12_000], (client) =>
      client.follow(api.url("/books", { shelf: rng.int(1, 30) })),
    );
    return { truth: [{ kind: "redirects", origin: api.name, path: /^\/books\/?$/ }] };
  }),
  scenario("redirects/two-hops", (world, rng) => {
    const [old, next] = [world.origin("old"), world.origin("next")];
    old.on("GET /app", () => ({ status: 302, headers: { location: next.url("/gate") }, wait: world.latency(120) }));
    next.on("GET /gate", () => ({
      status: 302,
      headers: { location: next.url("/home", { at: rng.hex(6) }) },
      wait: world.latency(150),
    }));
    next.on("GET /home", () => ({ json: freshJson(world), wait: world.latency(50) }));
    busy(world, fleet(world, 2, "app"), [9_000, 18_000], (client) => client.follow(old.url("/app")));
    return {
      truth: [
        [
          { kind: "redirects", origin: old.name, path: /^\/app$/ },
          { kind: "redirects", origin: next.name, path: /^\/(gate|home)$/ },
        ],
      ],
      allowed: [{ kind: "redirects", origin: next.name, path: /./ }],
    };
  }),
  scenario("sequential-requests/settings", (world, rng) => {
    const api = world.origin("console", { protocol: "HTTP/1.1" });
    const urls = ["/limits", "/members", "/billing/plan", "/keys", "/audit/recent"].map((path) => {
      api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: world.latency(rng.between(80, 130)) }));
      return api.url(path);
    });
    const client = world.client("service");
    world.repeat([13_000, 25_000], () => inTurn(client, urls));
    return { truth: [{ kind: "sequential-requests", origin: api.name, client: client.address }] };
  }),
  scenario("client-time/slow-parser", (world, rng) => {
    const api = world.origin("sync");
    for (const step of ["/begin", "/list", "/apply", "/commit"])
      api.on(`POST ${step}`, () => ({ json: { cursor: rng.token(24), at: isoDate(world) }, wait: world.latency(45) }));
    const client = world.client("app");
    world.repeat([12_000, 24_000], async () => {
      let cursor = rng.token(8);
      for (const step of ["/begin", "/list", "/apply", "/commit"]) {
        cursor = (await client.post(api.url(step), { cursor })).json.cursor;
        await world.sleep(rng.between(350, 600));
      }
    });
    return { truth: [{ kind: "client-time", origin: api.name, client: client.address }] };
  }),
  // One proven link again and again: a list, work on it, and one of its items.
  scenario("client-time/one-link", (world, rng) => {
    const api = world.origin("scans", { protocol: "HTTP/1.1" });
    api.on("GET /queue", () => ({ json: { next: rng.uuid(), at: isoDate(world) }, wait: world.latency(50) }));
    api.on("GET /scans/*", () => ({ json: freshJson(world), wait: world.latency(60) }));
    const client = world.client("service");
    const work = rng.between(300, 900);
    world.repeat([4_000, 9_000], async () => {
      const { next } = (await client.get(api.url("/queue", { of: rng.hex(5) }))).json;
      await world.sleep(work * rng.between(0.9, 1.1));
      await client.get(api.url(`/scans/${next}`));
    });
    return { truth: [{ kind: "client-time", origin: api.name, client: client.address }] };
  }),
  scenario("client-time/one-gap", (world, rng) => {
    const [auth, api] = [world.origin("signin"), world.origin("work")];
    auth.on("POST /session", () => ({ json: { session: rng.token(36) }, wait: world.latency(60) }));
    api.on("GET /tasks", () => ({ json: { task: rng.uuid(), at: isoDate(world) }, wait: world.latency(55) }));
    api.on("GET /tasks/*", () => ({ json: { result: rng.token(22) }, wait: world.latency(50) }));
    api.on("POST /results", () => ({ json: freshJson(world), wait: world.latency(50) }));
    const client = world.client("service");
    world.repeat([10_000, 20_000], async () => {
      const headers = {
        authorization: `Bearer ${(await client.post(auth.url("/session"), { n: rng.hex(5) })).json.session}`,
      };
      await world.sleep(rng.between(4, 10));
      const { task } = (await client.get(api.url("/tasks"), { headers })).json;
      await world.sleep(rng.between(900, 1_500));
      const { result } = (await client.get(api.url(`/tasks/${task}`), { headers })).json;
      await world.sleep(rng.between(4, 10));
      await client.post(api.url("/results"), { result }, { headers });
    });
    return {
      truth: [
        [
          { kind: "client-time", client: client.address },
          { kind: "client-time", origin: api.name },
        ],
      ],
    };
  }),
];

const connections = [
  endpoint("new-connections/server-closes", "GET /quote", (world, rng) => ({
    server: { protocol: "HTTP/1.1", rtt: 35, tls: 60, headers: { connection: "close" } },
    clients: fleet(world, 2, "service"),
    pause: [3_000, 8_000],
    ask: () => ({ query: { of: rng.words(1) } }),
    reply: () => ({ wait: world.latency(45) }),
    label: ({ api }) => ({ truth: [{ kind: "new-connections", origin: api.name }] }),
  })),
  endpoint("new-connections/short-keep-alive", "GET /ping", (world, rng) => ({
    server: { protocol: "HTTP/1.1", rtt: 40, tls: 70, keepAlive: 1_000, headers: { "keep-alive": "timeout=1" } },
    clients: fleet(world, 2, "service"),
    pause: [3_500, 6_000],
    ask: () => ({ query: { of: rng.hex(3) } }),
    reply: () => ({ wait: world.latency(40) }),
    label: ({ api }) => ({ truth: [{ kind: "new-connections", origin: api.name }] }),
  })),
  scenario("connection-queueing/browser", (world, rng) => {
    const api = world.origin("tiles", { protocol: "HTTP/1.1" });
    api.on("GET /layer", () => ({ json: freshJson(world), wait: world.latency(160) }));
    busy(world, fleet(world, 1, "browser"), [16_000, 30_000], (client) =>
      Promise.all(Array.from({ length: rng.int(22, 34) }, () => client.get(api.url("/layer", { box: rng.hex(8) })))),
    );
    return {
      truth: [{ kind: "connection-queueing", origin: api.name }],
      allowed: [
        { kind: "n-plus-one", origin: api.name, path: /layer/ },
        { kind: "slow-when", origin: api.name, path: /layer/ },
      ],
    };
  }),
  scenario("connection-queueing/small-pool", (world, rng) => {
    const api = world.origin("store", { protocol: "HTTP/1.1" });
    for (const path of ["/a/summary", "/b/orders", "/c/people", "/d/stock", "/e/news", "/f/mail"])
      api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: world.latency(220) }));
    busy(world, fleet(world, 1, "service", { connections: 2 }), [10_000, 18_000], (client) =>
      Promise.all(
        ["/a/summary", "/b/orders", "/c/people", "/d/stock", "/e/news", "/f/mail"].map((path) =>
          client.get(api.url(path, { n: rng.hex(4) })),
        ),
      ),
    );
    return {
      truth: [{ kind: "connection-queueing", origin: api.name }],
      allowed: ["slow-server", "slow-when"].map((kind) => ({ kind, origin: api.name, path: /./ })),
    };
  }),
  endpoint("slow-connection-setup/dns", "GET /geo", (world, rng) => ({
    server: { protocol: "HTTP/1.1", dns: 420, dnsTtl: 4_000, keepAlive: 4_000 },
    clients: fleet(world, 2, "app"),
    pause: [6_000, 11_000],
    ask: () => ({ query: { at: rng.hex(5) } }),
    reply: () => ({ wait: world.latency(40) }),
    label: ({ api, clients }) => ({
      truth: [{ kind: "slow-connection-setup", origin: api.name, attribute: { name: "phase", value: "dns" } }],
      allowed: [{ kind: "new-connections", origin: api.name, client: clients[0].address }],
    }),
  })),
  endpoint("slow-connection-setup/tls", "GET /vault", (world, rng) => ({
    server: { protocol: "HTTP/1.1", tls: 480, keepAlive: 9_000 },
    clients: fleet(world, 2, "app"),
    pause: [5_000, 16_000],
    ask: () => ({ query: { at: rng.hex(5) } }),
    reply: () => ({ wait: world.latency(40) }),
    label: ({ api, clients }) => ({
      truth: [{ kind: "slow-connection-setup", origin: api.name, attribute: { name: "phase", value: "tls" } }],
      allowed: [{ kind: "new-connections", origin: api.name, client: clients[0].address }],
    }),
  })),
];

const sizes = [
  endpoint("uncompressed-responses/page", "GET /manual", (world, rng) => ({
    server: { gzip: false, rate: 250 },
    clients: fleet(world, 2, "browser"),
    pause: [9_000, 20_000],
    ask: () => ({ query: { chapter: rng.hex(5) } }),
    reply: () => ({
      json: undefined,
      type: "text/html",
      text: pageOf(world, [], rng.words(9_000)),
      wait: world.latency(55),
    }),
    label: ({ at }) => ({ truth: [at("uncompressed-responses")] }),
  })),
  endpoint("large-responses/pictures", "GET /scan", (world, rng) => ({
    server: { rate: 2_500 },
    clients: fleet(world, 1, "app"),
    pause: [9_000, 20_000],
    ask: () => ({ query: { sheet: rng.hex(8) } }),
    reply: () => ({ json: undefined, type: "image/png", size: rng.int(1_600_000, 2_400_000), wait: world.latency(60) }),
    label: ({ at }) => ({
      truth: [at("large-responses")],
      allowed: [at("slow-when", { attribute: { name: "response-size" } })],
    }),
  })),
  endpoint("large-responses/dump", "GET /dump", (world, rng) => ({
    server: { rate: 1_200 },
    clients: fleet(world, 1, "service"),
    pause: [12_000, 22_000],
    ask: () => ({ query: { table: rng.hex(8) } }),
    reply: () => ({
      json: undefined,
      type: "application/x-ndjson",
      size: rng.int(1_000_000, 1_300_000),
      wait: world.latency(80),
    }),
    label: ({ at }) => ({
      truth: [at("large-responses")],
      allowed: [at("slow-when", { attribute: { name: "response-size" } })],
    }),
  })),
  endpoint("large-requests/upload", "POST /photos", (world, rng) => ({
    clients: fleet(world, 2, "app", { upload: 900 }),
    pause: [10_000, 20_000],
    ask: () => ({ size: rng.int(700_000, 1_100_000), type: "image/jpeg" }),
    reply: () => ({ status: 201, json: { id: rng.hex(10) }, wait: world.latency(70) }),
    label: ({ at }) => ({
      truth: [at("large-requests")],
      allowed: [at("slow-when", { attribute: { name: "request-size" } })],
    }),
  })),
  scenario("large-requests/cookies", (world, rng) => {
    const api = world.origin("portal");
    const cookie = `profile=${rng.token(5_200)}; flags=${rng.token(1_400)}`;
    for (const path of ["/home", "/mail", "/news", "/friends"])
      api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: world.latency(45) }));
    busy(world, fleet(world, 3, "app", { headers: { cookie } }), [700, 1_900], (client) =>
      client.get(api.url(rng.pick(["/home", "/mail", "/news", "/friends"]), { n: rng.hex(4) })),
    );
    return { truth: [{ kind: "large-requests", origin: api.name }] };
  }),
  scenario("slow-streams/late-first", (world, rng) => {
    const api = world.origin("ticker");
    api.on("GET /ticks", () => ({
      type: "text/event-stream",
      headers: { "cache-control": "no-cache" },
      wait: world.latency(40),
      stream: Array.from({ length: 12 }, (_, index) => ({
        after: index === 0 ? rng.between(2_500, 4_000) : rng.between(180, 260),
        data: JSON.stringify({ price: rng.int(1, 9_999) }),
      })),
    }));
    busy(world, fleet(world, 2, "browser"), [15_000, 26_000], (client) =>
      client.get(api.url("/ticks", { n: rng.hex(4) }), { headers: { accept: "text/event-stream" } }),
    );
    return { truth: [{ kind: "slow-streams", origin: api.name, path: /^\/ticks$/ }] };
  }),
  scenario("slow-streams/stalls", (world, rng) => {
    const api = world.origin("writer");
    api.on("GET /answer", () => ({
      type: "text/event-stream",
      headers: { "cache-control": "no-cache" },
      wait: world.latency(60),
      stream: Array.from({ length: 40 }, (_, index) => ({
        after: index % 13 === 12 ? rng.between(2_200, 3_500) : rng.between(60, 120),
        data: rng.words(1),
      })),
    }));
    busy(world, fleet(world, 2, "browser"), [15_000, 26_000], (client) =>
      client.get(api.url("/answer", { n: rng.hex(4) }), { headers: { accept: "text/event-stream" } }),
    );
    return { truth: [{ kind: "slow-streams", origin: api.name, path: /^\/answer$/ }] };
  }),
];

export const causes = [...slow, ...repeats, ...rounds, ...connections, ...sizes];
