// More sessions with known dependencies, as browsers, services and apps cause them, and values that only look like
// proofs.
import { chain, freshJson, trap } from "./world/cases.mjs";

/** Routes whose responses differ each time. */
function answers(api, world, routes, wait = 45) {
  for (const route of routes) api.on(route, () => ({ json: freshJson(world), wait: world.latency(wait) }));
}

const html = (world, text) => ({
  type: "text/html; charset=utf-8",
  text: `<!doctype html><html><body>${text}</body></html>`,
  wait: world.latency(50),
});

export const links = [
  // Several requests use one token at the same time: each of them waited for it.
  chain("token-for-three-at-once", ({ world, rng, client, api, soon }) => {
    api.on("POST /session", () => ({ json: { jwt: rng.token(40) }, wait: world.latency(60) }));
    answers(api, world, ["GET /inbox", "GET /calendar", "GET /contacts"]);
    return async () => {
      const login = await client.post(api.url("/session"), { code: rng.digits(5) });
      await soon();
      const headers = { authorization: `Bearer ${login.json.jwt}` };
      const all = await Promise.all(
        ["/inbox", "/calendar", "/contacts"].map((path) => client.get(api.url(path), { headers })),
      );
      return { proven: all.map((one) => [login, one]) };
    };
  }),
  // By the second call the token is old; that call follows the first by order alone.
  chain("token-then-two-in-turn", ({ world, rng, client, api, soon }) => {
    api.on("POST /auth", () => ({ json: { access: rng.token(36) }, wait: world.latency(60) }));
    answers(api, world, ["GET /account", "GET /limits"]);
    return async () => {
      const login = await client.post(api.url("/auth"), { code: rng.digits(5) });
      await soon();
      const headers = { authorization: `Bearer ${login.json.access}` };
      const account = await client.get(api.url("/account", { n: rng.hex(4) }), { headers });
      await soon();
      const limits = await client.get(api.url("/limits", { n: rng.hex(4) }), { headers });
      return { proven: [[login, account]], sequential: [[account, limits]], also: [[login, limits]] };
    };
  }),
  chain("refresh-after-401", ({ world, rng, client, api, soon }) => {
    let valid = "";
    api.on("GET /documents", ({ headers }) =>
      headers.authorization === `Bearer ${valid}`
        ? { json: freshJson(world), wait: world.latency(40) }
        : { status: 401, json: { error: "expired" }, wait: world.latency(20) },
    );
    api.on("POST /refresh", () => {
      valid = rng.token(34);
      return { json: { token: valid }, wait: world.latency(60) };
    });
    let token = rng.token(34);
    return async () => {
      valid = "";
      const url = api.url("/documents", { n: rng.hex(4) });
      const refused = await client.get(url, { headers: { authorization: `Bearer ${token}` } });
      await soon();
      const refreshed = await client.post(api.url("/refresh"), { device: rng.hex(5) });
      token = refreshed.json.token;
      await soon();
      const answered = await client.get(url, { headers: { authorization: `Bearer ${token}` } });
      return { proven: [[refreshed, answered]], sequential: [[refused, refreshed]], also: [[refused, answered]] };
    };
  }),
  chain("three-redirects", ({ world, rng, client, api }) => {
    const [id, mark] = [rng.hex(8), () => rng.hex(12)];
    for (const [from, to] of [
      ["/a", "/b"],
      ["/b", "/c"],
      ["/c", "/d"],
    ])
      api.on(`GET ${from}`, () => ({
        status: rng.pick([301, 302, 307]),
        headers: { location: `${to}?id=${id}&m=${mark()}` },
        wait: world.latency(30),
      }));
    answers(api, world, ["GET /d"]);
    return async () => {
      const all = await client.follow(api.url("/a"));
      return { proven: all.slice(1).map((one, index) => [all[index], one]) };
    };
  }),
  chain("retry-after-obeyed", ({ world, rng, client, api }) => {
    let refused = false;
    api.on("POST /import", () => {
      refused = !refused;
      return refused
        ? { status: 429, headers: { "retry-after": "2" }, wait: world.latency(20) }
        : { json: freshJson(world), wait: world.latency(60) };
    });
    return async () => {
      const body = { batch: rng.hex(10) };
      const first = await client.post(api.url("/import"), body);
      await world.sleep(2_000 + rng.between(5, 120));
      return { proven: [[first, await client.post(api.url("/import"), body)]] };
    };
  }),
  // A page names its style sheet, which names a font; each is requested once its name is known.
  chain(
    "style-names-a-font",
    ({ world, rng, client, api, soon }) => {
      let [style, font] = ["", ""];
      api.on("GET /start", () => ({ ...html(world, `<link rel=stylesheet href='/css/${style}'>`) }));
      api.on("GET /css/*", () => ({
        type: "text/css",
        text: `@font-face{src:url(../fonts/${font}) format("woff2")}`,
        wait: world.latency(30),
      }));
      api.on("GET /fonts/*", () => ({ type: "font/woff2", size: 20_000, wait: world.latency(30) }));
      return async () => {
        [style, font] = [`${rng.hex(8)}.css`, `${rng.hex(8)}.woff2`];
        const page = await client.get(api.url("/start", { n: rng.hex(4) }));
        await soon();
        const css = await client.get(api.url(`/css/${style}`));
        await soon();
        return {
          proven: [
            [page, css],
            [css, await client.get(api.url(`/fonts/${font}`))],
          ],
        };
      };
    },
    { kind: "browser" },
  ),
  // Each page requests the same picture again; the page that was loaded last names it.
  chain(
    "picture-of-each-page",
    ({ world, rng, client, api, soon }) => {
      api.on("GET /p/*", () => html(world, '<img src="/logo.svg" alt="">'));
      api.on("GET /logo.svg", () => ({
        type: "image/svg+xml",
        text: `<svg>${rng.words(20)}</svg>`,
        wait: world.latency(20),
      }));
      return async () => {
        const page = await client.get(api.url(`/p/${rng.words(1)}`, { n: rng.hex(4) }));
        await soon();
        return { proven: [[page, await client.get(api.url("/logo.svg"))]] };
      };
    },
    { kind: "browser", rounds: 4, minutes: 3 },
  ),
  chain(
    "referer-of-a-part",
    ({ world, rng, client, api, soon }) => {
      api.on("GET /view", () => html(world, `<script>load(${JSON.stringify(rng.words(3))})</script>`));
      api.on("GET /tile", () => ({ type: "image/png", size: 9_000, wait: world.latency(25) }));
      return async () => {
        const page = await client.get(api.url("/view", { n: rng.hex(4) }));
        await soon();
        const headers = { referer: page.url, "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" };
        const tiles = await Promise.all(
          [1, 2, 3].map((x) => client.get(api.url("/tile", { x, n: rng.hex(3) }), { headers })),
        );
        return { proven: tiles.map((tile) => [page, tile]) };
      };
    },
    { kind: "browser" },
  ),
  chain("next-link", ({ world, rng, client, api, soon }) => {
    api.on("GET /rows", () => ({
      json: freshJson(world),
      wait: world.latency(50),
      headers: { link: `<${api.url("/rows", { after: rng.token(16) })}>; rel="next"` },
    }));
    return async () => {
      const proven = [];
      let page = await client.get(api.url("/rows", { of: rng.hex(4) }));
      for (let left = 3; left > 0; left -= 1) {
        await soon();
        const next = await client.get(/<([^>]+)>/.exec(page.headers.link)[1]);
        proven.push([page, next]);
        page = next;
      }
      return { proven };
    };
  }),
  chain("url-of-an-upload", ({ world, rng, client, api, soon }) => {
    const store = world.origin("store");
    api.on("POST /uploads", () => ({
      json: { upload: { href: `${store.name}/b/${rng.hex(16)}?sig=${rng.token(30)}` } },
      wait: world.latency(50),
    }));
    store.on("PUT /b/*", () => ({ status: 200, headers: { "x-version": rng.hex(12) }, wait: world.latency(90) }));
    return async () => {
      const asked = await client.post(api.url("/uploads"), { name: rng.words(2) });
      await soon();
      return {
        proven: [[asked, await client.request("PUT", asked.json.upload.href, { size: 60_000, type: "image/jpeg" })]],
      };
    };
  }),
  chain("claims-of-a-token", ({ world, rng, client, api, soon }) => {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    let subject = "";
    api.on("POST /login", () => ({
      json: { id_token: `${part({ alg: "RS256" })}.${part({ sub: subject, exp: 1 })}.${rng.token(43)}` },
      wait: world.latency(60),
    }));
    answers(api, world, ["GET /users/*"]);
    return async () => {
      subject = rng.uuid();
      const login = await client.post(api.url("/login"), { code: rng.digits(6) });
      await soon();
      return { proven: [[login, await client.get(api.url(`/users/${subject}`))]] };
    };
  }),
  // Two lists at once, then a request that uses an id from each.
  chain("join-of-two-values", ({ world, rng, client, api, soon }) => {
    api.on("GET /sizes", () => ({ json: { sizes: rng.records(3) }, wait: world.latency(40) }));
    api.on("GET /colors", () => ({ json: { colors: rng.records(3) }, wait: world.latency(140) }));
    answers(api, world, ["POST /variants"]);
    return async () => {
      const [sizes, colors] = await Promise.all(
        ["/sizes", "/colors"].map((path) => client.get(api.url(path, { n: rng.hex(4) }))),
      );
      await soon();
      const made = await client.post(api.url("/variants"), {
        size: rng.pick(sizes.json.sizes).id,
        color: rng.pick(colors.json.colors).id,
      });
      return {
        proven: [
          [sizes, made],
          [colors, made],
        ],
      };
    };
  }),
  chain("revision-of-an-edit", ({ world, rng, client, api, soon }) => {
    api.on("GET /sheets/*", () => ({
      json: { revision: rng.token(18), cells: rng.records(2) },
      wait: world.latency(40),
    }));
    api.on("PATCH /sheets/*", () => ({ json: { ok: true, revision: rng.token(18) }, wait: world.latency(50) }));
    const id = rng.uuid();
    return async () => {
      const read = await client.get(api.url(`/sheets/${id}`));
      await world.sleep(rng.between(2_500, 6_000));
      const one = await client.request("PATCH", api.url(`/sheets/${id}`), {
        json: { revision: read.json.revision, text: rng.words(2) },
      });
      await soon();
      const other = await client.request("PATCH", api.url(`/sheets/${id}`), {
        json: { revision: one.json.revision, text: rng.words(2) },
      });
      return {
        proven: [
          [read, one],
          [one, other],
        ],
      };
    };
  }),
  chain("graphql-variables", ({ world, rng, client, api, soon }) => {
    api.on("POST /graphql", ({ body }) =>
      body.operationName === "Boards"
        ? { json: { data: { boards: rng.records(3, () => rng.token(22)) } }, wait: world.latency(60) }
        : { json: { data: { board: freshJson(world) } }, wait: world.latency(50) },
    );
    const ask = (operationName, variables) =>
      client.post(api.url("/graphql"), { operationName, query: `query ${operationName} { x }`, variables });
    return async () => {
      const boards = await ask("Boards", { first: 3 });
      await soon();
      return { proven: [[boards, await ask("Board", { id: boards.json.data.boards[1].id })]] };
    };
  }),
  chain("soap-like-markup", ({ world, rng, client, api, soon }) => {
    api.on("POST /service", () => ({
      type: "text/xml",
      text: `<Envelope><Body><Handle>${rng.token(24)}</Handle></Body></Envelope>`,
      wait: world.latency(50),
    }));
    return async () => {
      const send = (body, action) =>
        client.request("POST", api.url("/service"), { body, type: "text/xml", headers: { soapaction: action } });
      const opened = await send(`<Envelope><Body><Open><Name>${rng.words(1)}</Name></Open></Body></Envelope>`, "Open");
      const handle = /<Handle>(\w+)</.exec(opened.text)[1];
      await soon();
      return {
        proven: [
          [opened, await send(`<Envelope><Body><Read><Handle>${handle}</Handle></Read></Body></Envelope>`, "Read")],
        ],
      };
    };
  }),
  // A poll runs in parallel: it waits for nothing, and nothing waits for it.
  chain(
    "poll-beside-a-chain",
    ({ world, rng, client, api, soon }) => {
      answers(api, world, ["GET /presence", "GET /open", "GET /load", "GET /show"], 60);
      world.repeat([900, 1_100], () => client.get(api.url("/presence", { n: rng.hex(4) })));
      return async () => {
        const first = await client.get(api.url("/open", { n: rng.hex(4) }));
        await soon();
        const second = await client.get(api.url("/load", { n: rng.hex(4) }));
        await soon();
        const third = await client.get(api.url("/show", { n: rng.hex(4) }));
        return {
          sequential: [
            [first, second],
            [second, third],
          ],
        };
      };
    },
    { rounds: 5, minutes: 4 },
  ),
  chain("fan-in-after-pictures", ({ world, rng, client, api, soon }) => {
    answers(api, world, ["GET /part/*"], 50);
    answers(api, world, ["POST /done"], 40);
    api.on("GET /slow", () => ({ json: freshJson(world), wait: rng.between(500, 700) }));
    return async () => {
      const all = await Promise.all([
        ...["a", "b", "c", "d"].map((name) => client.get(api.url(`/part/${name}`, { n: rng.hex(4) }))),
        client.get(api.url("/slow", { n: rng.hex(4) })),
      ]);
      await soon();
      return { sequential: [[all.at(-1), await client.post(api.url("/done"), { n: rng.hex(4) })]] };
    };
  }),
  // Paging through a list whose offsets are short numbers: only each page's cursor is a proof.
  chain("offset-after-cursor", ({ world, rng, client, api }) => {
    api.on("GET /log", () => ({
      json: { lines: rng.records(2, () => rng.int(1, 900)), cursor: `c_${rng.hex(20)}` },
      wait: world.latency(45),
    }));
    return async () => {
      const first = await client.get(api.url("/log", { limit: 100000 }));
      await world.sleep(rng.between(4_000, 8_000));
      return { proven: [[first, await client.get(api.url("/log", { limit: 100000, cursor: first.json.cursor }))]] };
    };
  }),
  chain("file-with-extension", ({ world, rng, client, api, soon }) => {
    api.on("POST /reports", () => ({ status: 201, json: { report: rng.hex(18) }, wait: world.latency(60) }));
    api.on("GET /files/*", () => ({ type: "application/pdf", size: 30_000, wait: world.latency(50) }));
    return async () => {
      const made = await client.post(api.url("/reports"), { of: rng.hex(6) });
      await soon();
      return { proven: [[made, await client.get(api.url(`/files/${made.json.report}.pdf`))]] };
    };
  }),
  chain("ids-in-one-list", ({ world, rng, client, api, soon }) => {
    api.on("GET /members", () => ({ json: { members: rng.records(4, () => rng.uuid()) }, wait: world.latency(60) }));
    answers(api, world, ["GET /avatars"]);
    return async () => {
      const list = await client.get(api.url("/members", { team: rng.hex(5) }));
      await soon();
      return {
        proven: [
          [list, await client.get(api.url("/avatars", { ids: list.json.members.map(({ id }) => id).join(",") }))],
        ],
      };
    };
  }),

  // Traps: values that prove nothing.
  trap("time-in-seconds", { json: { server: 1790000000 }, query: { since: "1790000000" } }),
  trap("currency-and-price", { json: { price: 129900, currency: "EUR" }, query: { max_price: "129900" } }),
  trap("zone", { json: { zone: "Europe/Berlin" }, query: { tz: "Europe/Berlin" } }),
  trap("media-type", { json: { format: "application/pdf" }, query: { as: "application/pdf" } }),
  trap("enum-of-two-words", { json: { state: "in_progress" }, query: { state: "in_progress" } }),
  trap("version", { json: { version: "2025.11.3" }, query: { v: "2025.11.3" } }),
  trap("region", { json: { region: "eu-central-1" }, query: { region: "eu-central-1" } }),
  trap("colour", { json: { accent: "#ff8800" }, query: { accent: "#ff8800" } }),
  trap("account-everywhere", { json: { account: "acct_7f3k29dk2" }, query: { account: "acct_7f3k29dk2" } }),
  trap("own-address", { json: { ip: "203.0.113.77" }, query: { from: "203.0.113.77" } }),
  trap("address-known-before", { known: { mail: "anna@example.test" }, json: { mail: "anna@example.test" } }),
  chain(
    "session-from-before",
    ({ world, rng, client, api, soon }) => {
      const sid = rng.token(32);
      api.on("GET /home", () => ({
        json: freshJson(world),
        headers: { "set-cookie": [`sid=${sid}; Path=/`] },
        wait: world.latency(40),
      }));
      answers(api, world, ["GET /news"]);
      const headers = { cookie: `sid=${sid}` };
      return async () => {
        const first = await client.get(api.url("/home"), { headers });
        await soon();
        return { forbidden: [[first, await client.get(api.url("/news"), { headers })]] };
      };
    },
    { kind: "service" },
  ),
  chain("id-of-the-path", ({ world, rng, client, api, soon }) => {
    const id = rng.uuid();
    api.on("GET /things/*", () => ({ json: { id, ...freshJson(world) }, wait: world.latency(40) }));
    api.on("GET /things/*/parts", () => ({ json: freshJson(world), wait: world.latency(40) }));
    return async () => {
      const first = await client.get(api.url(`/things/${id}`));
      await soon();
      return { forbidden: [[first, await client.get(api.url(`/things/${id}/parts`))]] };
    };
  }),
  chain(
    "modified-since",
    ({ world, client, api, soon }) => {
      const changed = "Tue, 03 Mar 2026 10:11:12 GMT";
      api.on("GET /list", () => ({
        json: freshJson(world),
        headers: { "last-modified": changed },
        wait: world.latency(40),
      }));
      return async () => {
        const first = await client.get(api.url("/list"));
        await soon();
        return {
          forbidden: [[first, await client.get(api.url("/list"), { headers: { "if-modified-since": changed } })]],
        };
      };
    },
    { kind: "service" },
  ),
  // Two simultaneous requests share an id that neither response contained.
  chain("siblings-with-one-id", ({ world, rng, client, api }) => {
    api.on("GET /orders/*", () => ({ json: freshJson(world), wait: world.latency(90) }));
    let id = "";
    api.on("GET /track/*", () => ({ json: { order: id }, wait: world.latency(20) }));
    return async () => {
      id = rng.uuid();
      const [one, other] = await Promise.all([
        client.get(api.url(`/track/${id}`)),
        client.get(api.url(`/orders/${id}`)),
      ]);
      await world.sleep(rng.between(5, 10));
      const again = await client.get(api.url(`/orders/${id}`, { full: "yes" }));
      return {
        forbidden: [
          [one, other],
          [one, again],
        ],
      };
    };
  }),
  chain(
    "links-of-every-page",
    ({ world, rng, client, api }) => {
      const menu = ["/offers", "/about", "/basket"].map((path) => `<a href="${path}">${path}</a>`).join("");
      for (const path of ["/home", "/garden", "/kitchen", "/lights", "/tools"])
        api.on(`GET ${path}`, () => html(world, menu + rng.words(20)));
      answers(api, world, ["GET /basket"]);
      return async () => {
        let last;
        for (const path of ["/home", "/garden", "/kitchen", "/lights", "/tools"]) {
          last = await client.get(api.url(path, { n: rng.hex(4) }));
          await world.sleep(rng.between(3_000, 4_000));
        }
        return { forbidden: [[last, await client.get(api.url("/basket"))]] };
      };
    },
    { kind: "browser" },
  ),
  chain("sibling-spans", ({ world, rng, client, api }) => {
    answers(api, world, ["GET /left", "GET /right"]);
    return async () => {
      const headers = { traceparent: `00-${rng.hex(32)}-${rng.hex(16)}-01` };
      const [left, right] = await Promise.all(
        ["/left", "/right"].map((path) => client.get(api.url(path, { n: rng.hex(4) }), { headers })),
      );
      return {
        forbidden: [
          [left, right],
          [right, left],
        ],
      };
    };
  }),
];
