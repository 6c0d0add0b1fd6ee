// Sessions without a problem, each with something that looks like a cause.
import { busy, endpoint, fleet, freshJson, scenario } from "./world/cases.mjs";
import { isoDate, loadAssets, pageOf, staticFiles } from "./world/sites.mjs";

const healthyOne = (name, plan) => scenario(`healthy/${name}`, (world, rng) => void plan(world, rng));

export const sound = [
  // Each page needs the cursor of the previous one.
  healthyOne("paging", (world, rng) => {
    const api = world.origin("history");
    api.on("GET /entries", () => ({ json: { next: rng.token(26), entries: rng.records(3) }, wait: world.latency(55) }));
    busy(world, fleet(world, 1, "app"), [20_000, 40_000], async (client) => {
      let cursor;
      for (let left = rng.int(5, 9); left > 0; left -= 1) {
        cursor = (await client.get(api.url("/entries", { cursor }))).json.next;
        await world.sleep(rng.between(3, 12));
      }
    });
  }),
  healthyOne("long-poll", (world, rng) => {
    const api = world.origin("notify");
    api.on("GET /wait", () => ({ json: freshJson(world), wait: rng.between(8_000, 25_000) }));
    busy(world, fleet(world, 2, "app"), [2, 20], (client) => client.get(api.url("/wait", { since: rng.hex(6) })));
  }),
  healthyOne("poll-that-changes", (world) => {
    const api = world.origin("board");
    api.on("GET /scores", () => ({ json: freshJson(world), wait: world.latency(35) }));
    busy(world, fleet(world, 2, "app"), [2_950, 3_050], (client) => client.get(api.url("/scores")));
  }),
  healthyOne("sockets-and-streams", (world, rng) => {
    const api = world.origin("chat");
    const stream = () =>
      Array.from({ length: rng.int(10, 25) }, () => ({
        after: rng.between(900, 1_500),
        data: rng.words(4),
        type: rng.pick(["send", "receive"]),
      }));
    api.on("GET /socket", () => ({
      status: 101,
      headers: { upgrade: "websocket", connection: "upgrade" },
      stream: stream(),
    }));
    api.on("GET /live", () => ({ type: "text/event-stream", stream: stream(), wait: world.latency(30) }));
    busy(world, fleet(world, 2, "browser"), [3_000, 9_000], (client) =>
      client.get(api.url(rng.pick(["/socket", "/live"]))),
    );
  }),
  // Revalidated correctly.
  healthyOne("etags", (world, rng) => {
    const api = world.origin("settings");
    const text = rng.records(40);
    api.on("GET /preferences", () => ({ json: text, etag: true, wait: world.latency(35) }));
    busy(world, fleet(world, 3, "browser"), [6_000, 14_000], (client) => client.get(api.url("/preferences")));
  }),
  // A person leaves a view whose request is in flight, and comes back to it.
  healthyOne("left-and-back", (world, rng) => {
    const api = world.origin("journal", { protocol: "HTTP/1.1" });
    let isLeft = false;
    api.on("GET /articles", () =>
      isLeft
        ? { error: "net::ERR_ABORTED", wait: rng.between(120, 420) }
        : { json: freshJson(world), wait: world.latency(80) },
    );
    busy(world, fleet(world, 2, "browser"), [9_000, 20_000], async (client) => {
      const url = api.url("/articles", { page: rng.hex(6) });
      isLeft = rng.chance(0.4);
      await client.get(url);
      if (!isLeft) return;
      isLeft = false;
      await world.sleep(rng.between(1_800, 8_000));
      await client.get(url);
    });
  }),
  // An expired token: 401, a new token, and the same request again.
  healthyOne("token-renewal", (world, rng) => {
    const api = world.origin("bank");
    let valid = "";
    api.on("POST /token", () => {
      valid = rng.token(40);
      return { json: { token: valid }, wait: world.latency(40) };
    });
    api.on("GET /accounts", ({ headers }) =>
      headers.authorization === `Bearer ${valid}`
        ? { json: freshJson(world), wait: world.latency(40) }
        : { status: 401, wait: world.latency(15) },
    );
    let token = "none";
    busy(world, fleet(world, 1, "app"), [6_000, 12_000], async (client) => {
      if (rng.chance(0.15)) valid = "";
      const ask = () => client.get(api.url("/accounts", { at: 1 }), { headers: { authorization: `Bearer ${token}` } });
      if ((await ask()).status !== 401) return;
      token = (await client.post(api.url("/token"), { refresh: rng.hex(12) })).json.token;
      await ask();
    });
  }),
  // A token for one use before each change; and a load generator with a fixed time to think.
  healthyOne("token-for-one-use", (world, rng) => {
    const api = world.origin("forms");
    api.on("GET /nonce", () => ({ json: { nonce: rng.token(30) }, wait: world.latency(45) }));
    api.on("POST /entries", () => ({ status: 201, json: freshJson(world), wait: world.latency(50) }));
    busy(world, fleet(world, 2, "app"), [5_000, 12_000], async (client) => {
      const { nonce } = (await client.get(api.url("/nonce"))).json;
      await world.sleep(rng.between(1, 5));
      await client.post(api.url("/entries"), { nonce, text: rng.words(8) });
    });
  }),
  healthyOne("time-to-think", (world, rng) => {
    const api = world.origin("bench", { protocol: "HTTP/1.1" });
    api.on("GET /next", () => ({ json: { id: rng.uuid(), at: isoDate(world) }, wait: world.latency(40) }));
    api.on("GET /jobs/*", () => ({ json: freshJson(world), wait: world.latency(45) }));
    const think = rng.between(400, 1_500);
    for (const client of fleet(world, 2, "service"))
      world.repeat([think, think], async () => {
        const { id } = (await client.get(api.url("/next", { of: rng.hex(5) }))).json;
        await world.sleep(think);
        await client.get(api.url(`/jobs/${id}`));
      });
  }),
  // Two typical latencies that no attribute explains.
  endpoint("healthy/two-speeds", "GET /lookup", (world, rng) => ({
    clients: fleet(world, 3),
    ask: () => ({
      query: { key: rng.int(1, 50), kind: rng.pick(["a", "b", "c"]) },
      headers: { "x-variant": rng.pick(["control", "blue"]) },
    }),
    reply: () => ({
      json: freshJson(world, rng.int(1, 4)),
      headers: { "x-cache": rng.pick(["HIT", "MISS"]), "x-served-by": `n${rng.int(1, 6)}` },
      wait: rng.chance(0.3) ? world.latency(140) : world.latency(45),
    }),
  })),
  // Many attributes, none with an effect.
  endpoint("healthy/many-attributes", "GET /items", (world, rng) => ({
    clients: fleet(world, 5),
    pause: [1_500, 4_000],
    ask: () => ({
      query: Object.fromEntries(
        ["sort", "dir", "size", "lang", "unit", "view", "mode"].map((name) => [name, rng.pick(["x", "y", "z"])]),
      ),
      headers: { "x-ab": rng.pick(["1", "2"]), "accept-language": rng.pick(["en", "de", "fr"]) },
    }),
    reply: () => ({
      headers: {
        "x-region": rng.pick(["a", "b", "c"]),
        "x-shard": String(rng.int(1, 8)),
        "x-cache": rng.pick(["HIT", "MISS", "STALE"]),
      },
      wait: rng.lognormal(70, 0.6),
    }),
  })),
  healthyOne("page-loads", (world, rng) => {
    const { build, pictures } = staticFiles(world);
    const site = world.origin("magazine");
    site.on("GET /story/*", () => ({
      type: "text/html",
      text: pageOf(world, [...build, ...pictures.slice(0, 25)]),
      wait: world.latency(60),
    }));
    for (let left = 3; left > 0; left -= 1) {
      const browser = world.client("browser");
      world.repeat([15_000, 40_000], async () =>
        loadAssets(browser, await browser.get(site.url(`/story/${rng.words(1)}`))),
      );
    }
  }),
  // Items opened one after another, as a person does.
  healthyOne("browsing-items", (world, rng) => {
    const api = world.origin("gallery");
    api.on("GET /works/*", () => ({ json: freshJson(world), wait: world.latency(60) }));
    busy(world, fleet(world, 3, "app"), [2_500, 9_000], (client) => client.get(api.url(`/works/${rng.digits(6)}`)));
  }),
  healthyOne("beacons", (world, rng) => {
    const api = world.origin("metrics");
    api.on("POST /collect", () => ({ status: 204, wait: world.latency(20) }));
    busy(world, fleet(world, 3, "browser"), [1_500, 6_000], (client) =>
      client.post(api.url("/collect"), { at: isoDate(world), event: rng.words(1) }),
    );
  }),
  // A few harmless errors; no failed request is repeated.
  healthyOne("missing-icons", (world, rng) => {
    const api = world.origin("icons");
    api.on("GET /icon/*", () =>
      rng.chance(0.02)
        ? { status: 404, wait: world.latency(20) }
        : {
            type: "image/png",
            size: rng.int(400, 2_000),
            headers: { "cache-control": "max-age=9999" },
            wait: world.latency(20),
          },
    );
    busy(world, fleet(world, 2, "browser"), [1_000, 4_000], (client) => client.get(api.url(`/icon/${rng.hex(8)}`)));
  }),
  // Films and saved files are as large as they are: a longer one takes longer.
  healthyOne("films-and-downloads", (world, rng) => {
    const host = world.origin("library", { rate: rng.between(1_500, 5_000) });
    const headers = { "content-disposition": "attachment; filename=copy.zip" };
    host.on("GET /clip", () => ({ type: "video/mp4", size: rng.int(900_000, 4_000_000), wait: world.latency(60) }));
    host.on("GET /copy", () => ({ type: "application/zip", size: rng.int(500_000, 3_000_000), headers }));
    busy(world, fleet(world, 2, "app"), [6_000, 12_000], (client) =>
      client.get(host.url(rng.pick(["/clip", "/copy"]), { of: rng.hex(8) })),
    );
  }),
  // A file that is sent part by part.
  healthyOne("parts-of-an-upload", (world, rng) => {
    const host = world.origin("vault");
    host.on("POST /uploads", () => ({ json: { upload: rng.token(30) }, wait: world.latency(40) }));
    host.on("PUT /uploads", () => ({ status: 204, wait: world.latency(35) }));
    busy(world, fleet(world, 1, "app", { upload: 60_000 }), [20_000, 40_000], async (client) => {
      const { json } = await client.post(host.url("/uploads"), { name: rng.words(1) });
      for (let part = rng.int(3, 8); part > 0; part -= 1) {
        const to = host.url("/uploads", { upload: json.upload, part });
        await client.request("PUT", to, { size: 262_144, type: "application/octet-stream" });
        await world.sleep(rng.between(1, 6));
      }
    });
  }),
  // Over HTTP/1.1 a connection that became a WebSocket is not reused, so each needs a new one.
  healthyOne("chat-over-one-connection-each", (world, rng) => {
    const host = world.origin("talk", { protocol: "HTTP/1.1" });
    const stream = () =>
      Array.from({ length: rng.int(10, 40) }, () => ({ after: rng.lognormal(900, 0.8), data: rng.words(3) }));
    const headers = { upgrade: "websocket", connection: "upgrade" };
    host.on("GET /rooms", () => ({ status: 101, headers, stream: stream(), wait: world.latency(30) }));
    host.on("POST /typing", () => ({ status: 204, wait: world.latency(18) }));
    busy(world, fleet(world, 2, "browser"), [4_000, 12_000], (client) => client.get(host.url("/rooms")));
    busy(world, fleet(world, 2, "browser"), [2_500, 6_000], (client) =>
      client.post(host.url("/typing"), { at: isoDate(world) }),
    );
  }),
  // Events of one session, sent one after another: no list gave them.
  healthyOne("events-in-a-row", (world, rng) => {
    const host = world.origin("telemetry");
    host.on("POST /session", () => ({ json: { session: rng.token(24) }, wait: world.latency(40) }));
    host.on("POST /events", () => ({ status: 204, wait: world.latency(35) }));
    for (const client of fleet(world, 2, "app")) {
      let session;
      world.repeat([6_000, 14_000], async () => {
        session ??= (await client.post(host.url("/session"), { of: rng.hex(5) })).json.session;
        for (let left = rng.int(2, 8); left > 0; left -= 1) {
          await client.post(host.url("/events"), { session, at: isoDate(world), what: rng.words(2) });
          await world.sleep(rng.between(1, 60));
        }
      });
    }
  }),
  // A redirect at the start of each visit, each time to a different URL.
  healthyOne("signing-in", (world, rng) => {
    const [site, login] = [world.origin("intranet"), world.origin("login")];
    site.on("GET /", () => ({
      status: 302,
      headers: { location: login.url("/authorize", { state: rng.token(20) }) },
      wait: world.latency(25),
    }));
    login.on("GET /authorize", () => ({ type: "text/html", text: pageOf(world, []), wait: world.latency(50) }));
    world.spawn(() => world.client("browser").follow(site.url("/")), rng.between(5_000, 60_000));
  }),
  // One slow page among fast ones: a share of the waiting, and no fault.
  healthyOne("one-slow-page", (world, rng) => {
    const site = world.origin("handbook");
    let left = rng.int(3, 12);
    site.on("GET /chapter/*", () => {
      left -= 1;
      return { type: "text/html", text: pageOf(world, []), wait: left === 0 ? 900 : world.latency(70) };
    });
    busy(world, fleet(world, 2, "browser"), [7_000, 15_000], (client) =>
      client.get(site.url(`/chapter/${rng.int(1, 400)}`)),
    );
  }),
  // A catalogue of named items, some of them popular; all are equally quick.
  healthyOne("catalogue", (world, rng) => {
    const api = world.origin("catalogue");
    const items = Array.from({ length: 60 }, (_, index) => `${rng.words(1)}-${rng.words(1)}-${"abcdefgh"[index % 8]}`);
    api.on("GET /items/*", () => ({ json: freshJson(world), wait: world.latency(55) }));
    busy(world, fleet(world, 4), [2_500, 8_000], (client) =>
      client.get(api.url(`/items/${items[Math.floor(60 * rng.unit() ** 2)]}`, { at: rng.hex(6) })),
    );
  }),
  // Rush hours of all endpoints, a job that runs now and then, and nothing that is slower for it.
  healthyOne("rush-hours", (world, rng) => {
    const api = world.origin("kiosk");
    for (const path of ["/stock", "/prices", "/offers"])
      api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: world.latency(60) }));
    api.on("POST /job", () => ({ json: freshJson(world), wait: rng.between(120, 190) }));
    const ask = (client) => client.get(api.url(rng.pick(["/stock", "/prices", "/offers"]), { of: rng.hex(6) }));
    busy(world, fleet(world, 6), [12_000, 14_000], async (client) => {
      for (let left = 6; left > 0; left -= 1) {
        await ask(client);
        await world.sleep(rng.between(400, 900));
      }
    });
    busy(world, fleet(world, 1, "service"), [15_000, 40_000], (client) =>
      client.post(api.url("/job"), { of: rng.hex(12) }),
    );
  }),
  // A test run: forty endpoints once each, one after another.
  healthyOne("forty-endpoints-once", (world, rng) => {
    const api = world.origin("staging");
    const calls = Array.from({ length: 40 }, (_, index) => {
      const [method, path] = [rng.pick(["GET", "POST", "PUT"]), `/${rng.words(1)}${index}/${rng.words(1)}`];
      api.on(`${method} ${path}`, () => ({ json: freshJson(world), wait: world.latency(rng.between(40, 220)) }));
      return { method, url: api.url(path) };
    });
    world.spawn(
      async () => {
        const client = world.client("service");
        for (const { method, url } of calls) {
          await client.request(method, url, method === "GET" ? {} : { json: { of: rng.hex(6) } });
          await world.sleep(rng.between(320, 900));
        }
      },
      rng.between(1_000, 60_000),
    );
  }),
  // Downloads that take long because they are long.
  healthyOne("long-downloads", (world, rng) => {
    const host = world.origin("mirror", { rate: rng.between(2_000, 8_000) });
    const types = ["application/zip", "application/gzip", "application/octet-stream", "video/mp4", "application/x-tar"];
    for (const [index, type] of types.entries())
      host.on(`GET /release${index}`, () => ({ type, size: rng.int(8_000_000, 40_000_000), wait: world.latency(60) }));
    busy(world, fleet(world, 2, "app"), [20_000, 60_000], (client) =>
      client.get(host.url(`/release${rng.int(0, types.length - 1)}`, { of: rng.hex(4) })),
    );
  }),
];
