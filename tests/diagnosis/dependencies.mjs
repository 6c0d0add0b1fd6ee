// Sessions with known dependencies, and with values that prove nothing.
import { chain, freshJson, trap } from "./world/cases.mjs";
import { isoDate, pageOf } from "./world/sites.mjs";

export const dependencies = [
  chain("redirect", ({ world, rng, client, api, soon }) => {
    api.on("GET /go", () => ({ status: 302, headers: { location: `/there/${rng.hex(8)}` }, wait: world.latency(40) }));
    api.on("GET /there/*", () => ({ json: freshJson(world), wait: world.latency(40) }));
    return async () => {
      const [first, second] = await client.follow(api.url("/go"));
      await soon();
      return { proven: [[first, second]] };
    };
  }),
  chain(
    "preflight",
    ({ world, rng, client, api }) => {
      const page = world.origin("front");
      const headers = {
        "access-control-allow-origin": page.name,
        "access-control-allow-methods": "PUT",
        "access-control-allow-headers": "content-type",
      };
      api.on("OPTIONS /draft", () => ({ status: 204, headers, wait: world.latency(30) }));
      api.on("PUT /draft", () => ({ json: freshJson(world), headers, wait: world.latency(40) }));
      return async () => {
        const { preflight, response } = await client.crossOrigin(page, "PUT", api.url("/draft"), {
          json: { text: rng.words(3) },
        });
        return { proven: [[preflight, response]] };
      };
    },
    { kind: "browser" },
  ),
  chain("challenge", ({ world, rng, client, api, soon }) => {
    api.on("GET /files", ({ headers }) =>
      headers.authorization
        ? { json: freshJson(world), wait: world.latency(30) }
        : { status: 401, headers: { "www-authenticate": 'Basic realm="files"' }, wait: world.latency(20) },
    );
    return async () => {
      const asked = await client.get(api.url("/files", { of: rng.hex(4) }));
      await soon();
      return {
        proven: [[asked, await client.get(asked.url, { headers: { authorization: `Basic ${rng.token(20)}` } })]],
      };
    };
  }),
  chain("paging", ({ world, rng, client, api, soon }) => {
    api.on("GET /list", () => ({ json: { next: rng.token(22), items: rng.records(2) }, wait: world.latency(40) }));
    return async () => {
      const proven = [];
      let last = await client.get(api.url("/list", { of: rng.hex(4) }));
      for (let left = 3; left > 0; left -= 1) {
        await soon();
        const page = await client.get(api.url("/list", { cursor: last.json.next }));
        proven.push([last, page]);
        last = page;
      }
      return { proven };
    };
  }),
  chain("fan-out", ({ world, rng, client, api, soon }) => {
    api.on("GET /parcels", () => ({ json: { parcels: rng.records(4, () => rng.uuid()) }, wait: world.latency(40) }));
    api.on("GET /parcels/*", () => ({ json: freshJson(world), wait: world.latency(60) }));
    return async () => {
      const list = await client.get(api.url("/parcels", { of: rng.hex(4) }));
      await soon();
      const items = await Promise.all(list.json.parcels.map(({ id }) => client.get(api.url(`/parcels/${id}`))));
      return { proven: items.map((item) => [list, item]) };
    };
  }),
  chain(
    "token-in-a-form",
    ({ world, rng, client, api }) => {
      api.on("GET /form", () => ({ type: "text/html", text: pageOf(world, []), wait: world.latency(40) }));
      api.on("POST /form", () => ({ json: freshJson(world), wait: world.latency(40) }));
      return async () => {
        const page = await client.get(api.url("/form", { n: rng.hex(4) }));
        await world.sleep(rng.between(3_000, 5_000));
        const csrf = /content="(\w+)"/.exec(page.text)[1];
        const sent = await client.request("POST", api.url("/form"), {
          body: `csrf=${csrf}&text=hello`,
          type: "application/x-www-form-urlencoded",
        });
        return { proven: [[page, sent]] };
      };
    },
    { kind: "browser" },
  ),
  chain("location-of-a-job", ({ world, rng, client, api }) => {
    api.on("POST /jobs", () => ({
      status: 202,
      headers: { location: `/jobs/${rng.digits(9)}` },
      wait: world.latency(40),
    }));
    api.on("GET /jobs/*", () => ({ json: freshJson(world), wait: world.latency(30) }));
    return async () => {
      const job = await client.post(api.url("/jobs"), { of: rng.hex(5) });
      await world.sleep(rng.between(700, 1_200));
      return { proven: [[job, await client.get(new URL(job.headers.location, job.url).href)]] };
    };
  }),
  chain(
    "script-names-a-file",
    ({ world, rng, client, api, soon }) => {
      let part = "";
      api.on("GET /app.js", () => ({
        type: "text/javascript",
        text: `${rng.words(40)};import("./chunk/${part}")`,
        wait: world.latency(40),
      }));
      api.on("GET /chunk/*", () => ({ type: "text/javascript", text: rng.words(30), wait: world.latency(30) }));
      return async () => {
        part = `${rng.hex(10)}.js`;
        const script = await client.get(api.url("/app.js", { v: rng.hex(4) }));
        await soon();
        return { proven: [[script, await client.get(api.url(`/chunk/${part}`))]] };
      };
    },
    { kind: "browser" },
  ),
  chain("two-in-a-row", ({ world, rng, client, api, soon }) => {
    for (const path of ["/first", "/second", "/third"])
      api.on(`GET ${path}`, () => ({ json: freshJson(world), wait: world.latency(60) }));
    return async () => {
      const first = await client.get(api.url("/first", { n: rng.hex(4) }));
      await soon();
      const second = await client.get(api.url("/second", { n: rng.hex(4) }));
      await soon();
      return {
        sequential: [
          [first, second],
          [second, await client.get(api.url("/third", { n: rng.hex(4) }))],
        ],
      };
    };
  }),
  chain("set-cookie", ({ world, rng, client, api, soon }) => {
    api.on("POST /login", () => ({
      status: 204,
      headers: { "set-cookie": [`sid=${rng.token(32)}; Path=/; HttpOnly`] },
      wait: world.latency(40),
    }));
    api.on("GET /me", () => ({ json: freshJson(world), wait: world.latency(40) }));
    return async () => {
      const login = await client.post(api.url("/login"), { pin: rng.digits(5) });
      await soon();
      return { proven: [[login, await client.get(api.url("/me", { n: rng.hex(4) }))]] };
    };
  }),
  trap("own-number", { known: { customer: "48151623" }, json: { customer: "48151623" } }),
  trap("language", { json: { language: "english", locale: "en-US" }, query: { language: "english" } }),
  trap("published", { json: { status: "published" }, query: { filter: "published" } }),
  trap("rotating-session", {}, { server: { balancer: "SESSION" } }),
  // The same number in every response, so no single response can be its source.
  chain(
    "number-everywhere",
    ({ world, rng, client, api, soon }) => {
      const user = rng.uuid();
      for (const path of ["/one", "/two", "/three", "/four", "/five", "/six"])
        api.on(`GET ${path}`, () => ({ json: { user, ...freshJson(world) }, wait: world.latency(40) }));
      return async () => {
        const responses = [];
        for (const path of ["/one", "/two", "/three", "/four", "/five"]) {
          responses.push(await client.get(api.url(path, { n: rng.hex(4) })));
          await world.sleep(1_200);
        }
        await client.get(api.url("/six", { user }));
        await world.sleep(400);
        const again = await client.get(api.url("/one", { n: rng.hex(4) }));
        await soon();
        return { forbidden: [[again, await client.get(api.url("/six", { user }))]] };
      };
    },
    { rounds: 2 },
  ),
  chain("today", ({ world, client, api, soon }) => {
    const day = () => isoDate(world).slice(0, 10);
    api.on("GET /calendar", () => ({ json: { today: day() }, wait: world.latency(40) }));
    api.on("GET /weather", () => ({ json: freshJson(world), wait: world.latency(40) }));
    return async () => {
      const first = await client.get(api.url("/calendar"));
      await soon();
      return { forbidden: [[first, await client.get(api.url("/weather", { day: day() }))]] };
    };
  }),
];
