import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

type Draw = (random: () => number, index: number) => Partial<Asked>;

/** Requests of three clients to one endpoint, about one a second, with ids that differ. */
const asked = (draw: Draw, { seed = 1, count = 90 } = {}) => {
  const random = seeded(seed);
  const scene = new Scene();
  for (const index of times(count)) {
    const sketch = draw(random, index);
    scene.ask({
      at: index * 900 + random() * 600,
      target: `/a?page=${Math.floor(random() * 5)}`,
      client: `10.0.0.${index % 3} app`,
      ...sketch,
      request: { "x-request-id": `r${index}`, ...sketch.request },
      response: { date: `d${index}`, "x-trace": `t${index}`, ...sketch.response },
    });
  }
  return scene;
};

const pick = <One>(random: () => number, list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
const server = (random: () => number, isSlow: boolean) => lognormal(random, isSlow ? 200 : 45, 0.3);

const CAUSES: readonly (readonly [string, string | RegExp, Draw])[] = [
  [
    "query:sort",
    "price",
    (random) => {
      const sort = pick(random, ["price", "name", "date"]);
      return { target: `/a?sort=${sort}&page=${Math.floor(random() * 5)}`, server: server(random, sort === "price") };
    },
  ],
  [
    "query:expand",
    "present",
    (random, index) => {
      const has = random() < 0.3;
      return { target: `/a?page=1${has ? `&expand=x${index}` : ""}`, server: server(random, has) };
    },
  ],
  [
    "query:limit",
    /^at least \d+$/,
    (random) => {
      const limit = Math.ceil(random() * 900);
      return { target: `/a?limit=${limit}`, server: lognormal(random, 30 + limit / 2, 0.2), bytes: limit * 90 };
    },
  ],
  [
    "request-header:accept-language",
    "ja",
    (random) => {
      const language = pick(random, ["en", "de", "ja", "fr"]);
      return { request: { "accept-language": language }, server: server(random, language === "ja") };
    },
  ],
  [
    "response-header:x-cache",
    "MISS",
    (random) => {
      const isMiss = random() < 0.25;
      return {
        response: isMiss ? { "x-cache": "MISS" } : { "x-cache": "HIT", age: "7" },
        server: server(random, isMiss),
        bytes: isMiss ? 4_000 : 3_900,
      };
    },
  ],
  [
    "response-header:server-timing",
    "cache;desc=miss",
    (random) => {
      const isMiss = random() < 0.3;
      const length = server(random, isMiss);
      return {
        response: { "server-timing": `cache;desc=${isMiss ? "miss" : "hit"}, app;dur=${length.toFixed(1)}` },
        server: length,
      };
    },
  ],
  [
    "server-address",
    "192.0.2.7:443",
    (random) => {
      const address = pick(random, ["192.0.2.5:443", "192.0.2.6:443", "192.0.2.7:443"]);
      return { address, server: server(random, address === "192.0.2.7:443") };
    },
  ],
  [
    "connection",
    "new",
    (random, index) => {
      const isNew = index % 4 === 0;
      return { reused: !isNew, server: server(random, isNew) };
    },
  ],
  ["client", "10.0.0.1 app", (random, index) => ({ server: server(random, index % 3 === 1) })],
  [
    "protocol",
    "h2",
    (random) => {
      const protocol = pick(random, ["h2", "http/1.1", "http/1.1"]);
      return { protocol, server: server(random, protocol === "h2") };
    },
  ],
  [
    "request-size",
    /^at least \d+ bytes$/,
    (random, index) => {
      const sentBytes = pick(random, [300, 900, 14_000]);
      return { method: "POST", sentBytes, sent: `${index}`, server: server(random, sentBytes === 14_000) };
    },
  ],
  [
    "response-size",
    /^at least \d+ bytes$/,
    (random) => {
      const bytes = pick(random, [300, 900, 1_500, 24_000]);
      return { bytes, server: server(random, bytes === 24_000) };
    },
  ],
  ["time-in-session", /^at most \d+ ms$/, (random, index) => ({ server: server(random, index < 20) })],
  ["time-in-session", /^at least \d+ ms$/, (random, index) => ({ server: lognormal(random, 40 + 3 * index, 0.2) })],
  [
    "time-in-session",
    /^from \d+ ms to \d+ ms$/,
    (random, index) => ({ server: server(random, index >= 40 && index < 60) }),
  ],
  [
    "request-header:authorization",
    "present",
    (random, index) => {
      const has = random() < 0.3;
      return { request: has ? { authorization: `Bearer ${index}` } : {}, server: server(random, has) };
    },
  ],
  [
    "status",
    "203",
    (random) => {
      const status = pick(random, [200, 200, 203]);
      return { status, server: server(random, status === 203) };
    },
  ],
];

describe("slow-when", (test) => {
  for (const [name, value, draw] of CAUSES)
    test(`given requests that are slow by ${name} (${value}), that is named and nothing else`, () => {
      for (let seed = 1; seed <= rounds(8); seed += 1) {
        const finding = asked(draw, { seed }).only();
        assert.is(finding.kind, "slow-when");
        assert.is(finding.attribute?.name, name, `seed ${seed}: ${finding.summary}`);
        if (typeof value === "string") assert.is(finding.attribute?.value, value);
        else assert.match(finding.attribute?.value ?? "", value);
      }
    });

  test("given a server that slows down with its load, in-flight is named", () => {
    for (let seed = 1; seed <= rounds(8); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      for (const burst of times(40))
        for (const index of times(1 + Math.floor(random() * 5)))
          scene.ask({
            at: burst * 9_000 + index,
            target: "/a",
            body: `${burst} ${index}`,
            client: `10.0.0.${index} app`,
            server: lognormal(random, 40 + 60 * index, 0.2),
          });
      assert.is(scene.only().attribute?.name, "in-flight");
    }
  });

  test("given a server that falls asleep, after-idle is named", () => {
    const random = seeded(4);
    const scene = new Scene();
    let at = 0;
    for (const index of times(80)) {
      const pause = index % 5 === 0 ? 40_000 : 2_000 + random() * 3_000;
      at += pause;
      scene.ask({ at, target: `/a?n=${index}`, server: server(random, pause === 40_000) });
    }
    assert.is(scene.only().attribute?.name, "after-idle");
  });

  test("given short pauses, after-idle is not named, whichever way they go with the time", () => {
    for (const isSlowAfterPause of [true, false]) {
      const random = seeded(6);
      const scene = new Scene();
      let at = 0;
      for (const index of times(120)) {
        const isLong = random() < 0.4;
        at += isLong ? 90 + random() * 20 : 30 + random() * 8;
        const time = lognormal(random, isLong === isSlowAfterPause ? 300 : 40, 0.1);
        scene.ask({ at, target: `/a?n=${index}`, server: time });
        at += time;
      }
      const names = scene.report().findings.map(({ attribute }) => attribute?.name);
      assert.not.ok(names.includes("after-idle"));
    }
  });

  test("given one slow operation among others of a URL, it is named with its endpoint", () => {
    const random = seeded(4);
    const scene = new Scene();
    for (const index of times(90)) {
      const operation = pick(random, ["Me", "Feed", "Report"]);
      scene.ask({
        at: index * 3_000,
        method: "POST",
        target: "/graphql",
        operation,
        sent: `${index}`,
        server: lognormal(random, operation === "Report" ? 400 : 50, 0.3),
      });
    }
    const finding = scene.only();
    assert.equal(finding.attribute, { name: "operation", value: "Report" });
    assert.is(finding.endpoint?.operation, "Report");
    assert.match(finding.summary, /requests to POST \/graphql over \d+ ms have operation: Report;/);
  });

  test("given the figures of a finding, they are those of the requests", () => {
    const finding = asked((_random, index) => ({
      client: "10.0.0.1",
      response: { "x-cache": index % 3 === 0 ? "MISS" : "HIT" },
      server: index % 3 === 0 ? 299 : 49,
    })).only();
    assert.is(finding.count, 30);
    assert.is(finding.time, 30 * 250);
    assert.match(
      finding.summary,
      /^30 of 30 requests to GET \/a over \d+ ms have response header `x-cache: MISS`; none of 60 others do\.$/,
    );
    assert.is(finding.exchanges.length, 30);
  });

  test("given a server that is slow from one request on, says when the first and the last slow request began", () => {
    for (const first of [30, 45, 60]) {
      const scene = asked((random, index) => ({ server: server(random, index >= first) }));
      const { attribute, evidence } = scene.only();
      assert.is(attribute?.name, "time-in-session");
      const starts = scene.facts.map(({ exchange }) => new Date(exchange.instants.startTime).toISOString());
      assert.equal(
        evidence.filter(({ name }) => /^(?:first|last) /.test(name)).map(({ value }) => value),
        [starts[first], starts.at(-1)],
      );
    }
  });

  test("given films of different lengths, nothing is said: a longer one takes longer", () => {
    const scene = asked((random, index) => {
      const bytes = (index % 4 === 0 ? 4_000_000 : 1_000_000) * (0.9 + random() / 5);
      return { type: "video/mp4", bytes, transfer: bytes / 3_000 };
    });
    assert.equal(scene.kinds(), []);
  });

  test("given large texts while the line is busy at first, the time in the session is not blamed, but a server is", () => {
    const texts = (isBusy: (index: number) => boolean, part: "transfer" | "server") =>
      asked((random, index) => ({
        type: "text/plain",
        target: `/a/${index}`,
        path: "/a/{id}",
        bytes: 200_000,
        transfer: 90,
        [part]: lognormal(random, isBusy(index) ? 400 : 90, 0.1),
        request: { "accept-encoding": "gzip" },
      }));
    const names = (scene: Scene) => scene.report().findings.map(({ kind, attribute }) => attribute?.name ?? kind);
    assert.equal(names(texts((index) => index < 20, "transfer")), ["large-responses"]);
    assert.ok(names(texts((index) => index < 20, "server")).includes("time-in-session"));
  });

  // 600 sessions with about 15 attributes each: the correction limits false findings to one in a hundred.
  test("given latencies without a cause, one mode or two, hardly ever is an attribute named", () => {
    let found = 0;
    for (let seed = 1; seed <= rounds(300); seed += 1)
      for (const isTwofold of [false, true]) {
        const scene = asked(
          (random) => ({
            target: `/a?sort=${pick(random, ["a", "b", "c"])}&n=${Math.floor(random() * 9)}`,
            request: { "x-variant": pick(random, ["a", "b"]), "accept-language": pick(random, ["en", "de", "fr"]) },
            response: {
              "x-cache": pick(random, ["HIT", "MISS"]),
              "x-served-by": pick(random, ["n1", "n2", "n3", "n4"]),
            },
            address: pick(random, ["192.0.2.5:443", "192.0.2.6:443"]),
            bytes: Math.floor(lognormal(random, 900, 0.5)),
            server: isTwofold ? server(random, random() < 0.3) : lognormal(random, 60, 0.5),
          }),
          { seed },
        );
        found += scene.report().findings.filter(({ attribute }) => attribute !== null).length;
      }
    assert.ok(found <= 8, `${found} of 600`);
  });

  // 600 small sessions with 24 attributes each: without the correction, 30 or more would have a finding.
  test("given few requests with a heavy tail and many attributes, hardly ever is one named", () => {
    let found = 0;
    for (let seed = 1; seed <= rounds(300); seed += 1) {
      const scene = asked(
        (random) => ({
          target: `/a?${times(12)
            .map((index) => `p${index}=${Math.floor(random() * 2)}`)
            .join("&")}`,
          response: Object.fromEntries(times(12).map((index) => [`x-h${index}`, String(Math.floor(random() * 2))])),
          server: lognormal(random, 60, 1),
        }),
        { seed, count: 30 },
      );
      found += scene.kinds().filter((kind) => kind === "slow-when").length;
    }
    assert.ok(found <= 5, `${found} of 300`);
  });

  test("given a parameter and a size that follows from it and explains a little more, the parameter is named", () => {
    for (let seed = 1; seed <= rounds(8); seed += 1) {
      const finding = asked(
        (random) => {
          const limit = Math.ceil(random() * 900);
          const bytes = Math.round(limit * 90 * (0.9 + 0.2 * random()));
          return { target: `/a?limit=${limit}`, bytes, server: 20 + bytes / 200 };
        },
        { seed },
      ).only();
      assert.is(finding.attribute?.name, "query:limit");
    }
  });

  test("given fewer than five slow or twenty requests, nothing is said", () => {
    const few =
      (count: number, every: number): Draw =>
      (_, index) => ({
        response: { "x-cache": index % every === 0 && index < count * every ? "MISS" : "HIT" },
        server: index % every === 0 && index < count * every ? 900 : 45,
      });
    assert.equal(asked(few(4, 10)).kinds(), []);
    assert.equal(asked(few(8, 2), { count: 19 }).kinds(), []);
    assert.equal(asked(few(5, 10)).kinds(), ["slow-when"]);
  });

  test("given 304s and errors that are quicker than the rest, nothing is said", () => {
    assert.equal(
      asked((random, index) =>
        index % 3 === 0 ? { status: 304, server: 5, body: "" } : { server: lognormal(random, 60, 0.3) },
      ).kinds(),
      [],
    );
    const kinds = asked((random, index) =>
      index % 3 === 0 ? { status: 404, server: 5 } : { server: lognormal(random, 60, 0.3) },
    ).kinds();
    assert.equal(kinds, ["errors"]);
  });
});

describe("slow-when with uncertain times", (test) => {
  const drawn = (uncertaintyOf: (index: number) => number) => {
    const random = seeded(4_411);
    const scene = new Scene();
    for (const index of times(36)) {
      const isSlow = index % 6 === 0;
      scene.ask({
        at: index * 9_000,
        target: `/stock?region=${isSlow ? "north" : "south"}&n=${index}`,
        server: lognormal(random, isSlow ? 369 : 28, 0.1),
        uncertainty: uncertaintyOf(index),
      });
    }
    return scene.report().findings.find(({ kind }) => kind === "slow-when");
  };

  test("given bounds that cannot change the conclusion, no request is left out", () => {
    const finding = drawn((index) => (index % 4 === 0 ? 44 : 0));
    assert.match(finding?.summary ?? "", /^6 of 6 requests .* none of \d+ others do\.$/);
    assert.is(finding?.count, 6);
  });

  test("given requests that their bound could put on the other side, they are left out and counted", () => {
    const finding = drawn((index) => (index === 4 || index === 8 ? 400 : 0));
    assert.match(
      finding?.summary ?? "",
      /^6 of 6 requests .* none of 28 others do; 2 left out: their times are uncertain by up to 400 ms\.$/,
    );
  });
});
