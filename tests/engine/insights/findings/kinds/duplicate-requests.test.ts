import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";

const pairs = (first: (index: number) => Partial<Asked>, second: (index: number) => Partial<Asked>) => {
  const scene = new Scene();
  for (const index of times(12)) {
    const at = index * 20_000 + (index % 3) * 4_000;
    scene.ask({ at, target: `/me?v=${index}`, body: `me ${index}`, ...first(index) });
    scene.ask({ at: at + 700, target: `/me?v=${index}`, body: `me ${index}`, ...second(index) });
  }
  return scene;
};

describe("duplicate-requests", (test) => {
  test("given the same request twice with the same answer, the second is the cost", () => {
    const finding = pairs(
      () => ({}),
      () => ({}),
    ).only();
    assert.is(finding.kind, "duplicate-requests");
    assert.is(finding.count, 12);
    assert.is(finding.time, 12 * 41);
    assert.is(finding.bytes, 1_200);
  });

  test("given one duplicate, the summary counts it as one", () => {
    const summaryOf = (count: number) => {
      const scene = new Scene();
      for (const index of times(count + 1)) scene.ask({ at: index * 3_000, target: "/me", body: "me", server: 190 });
      return scene.only().summary;
    };
    assert.match(summaryOf(1), / was sent again once within 10 s of an equal request and got the same response\.$/);
    assert.match(summaryOf(2), / was sent again 2 times within 10 s of an equal request and got the same response\.$/);
  });

  test("given duplicates that the server answers late, says how late, since the first one is slow as well", () => {
    const drawn = fc.record({ count: fc.integer({ min: 2, max: 4 }), server: fc.integer({ min: 150, max: 250 }) });
    fc.assert(
      fc.property(drawn, ({ count, server }) => {
        const scene = new Scene();
        for (const index of times(count)) scene.ask({ at: index * 3_000, target: "/report", body: "report", server });
        const { kind, summary, advice, evidence } = scene.only();
        assert.is(kind, "duplicate-requests");
        const late = `${server} ms`;
        assert.is(summary.includes(`a median of ${late} to begin each response to GET /report.`), server >= 200);
        assert.is(advice.includes("slow as well"), server >= 200);
        assert.equal(
          evidence.filter(({ name }) => name === "median server time").map(({ value }) => value),
          server >= 200 ? [late] : [],
        );
      }),
      { numRuns: rounds(20) },
    );
  });

  test("given a test suite that runs twice, its endpoints are one finding", () => {
    const scene = new Scene();
    const paths = ["/users", "/orders", "/stock", "/prices", "/me", "/health/report"];
    for (const run of times(2))
      for (const [index, target] of paths.entries())
        scene.ask({ at: run * 8_000 + index * 700, target, body: target, server: 150 + index * 80 });
    const finding = scene.report().findings.find(({ kind }) => kind === "duplicate-requests");
    assert.equal([finding?.count, finding?.endpoint?.path], [6, "/health/report"]);
    assert.match(finding?.summary ?? "", /^GET \/health\/report and 5 other endpoints were sent again 6 times in all/);
    assert.is(
      finding?.time,
      paths.reduce((sum, _, index) => sum + 151 + index * 80, 0),
    );
    assert.is(scene.kinds().filter((kind) => kind === "duplicate-requests").length, 1);
  });

  test("given the items of a list that are asked for once each, twice, they are no duplicates beside the N+1", () => {
    const scene = new Scene();
    for (const again of times(2)) {
      const list = scene.ask({ at: again * 8_000, target: "/list", body: `list ${again}`, server: 60 });
      for (const index of times(12)) {
        const target = `/items/${500 + index}`;
        const at = again * 8_000 + 100 + index * 85;
        scene.prove(list, scene.ask({ at, target, path: "/items/{id}", body: target, server: 80 }), "value");
      }
    }
    assert.equal(scene.kinds(), ["n-plus-one"]);
  });

  test("given duplicates of two clients, or minutes apart, they stay apart", () => {
    const scene = new Scene();
    for (const [index, target] of ["/a", "/b"].entries())
      for (const again of times(2))
        scene.ask({ at: index * 300_000 + again * 2_000, target, body: target, server: 300 });
    for (const again of times(2))
      scene.ask({ at: again * 2_000, target: "/c", client: "10.0.0.9 app", body: "c", server: 300 });
    assert.equal(scene.kinds(), ["duplicate-requests", "duplicate-requests", "duplicate-requests"]);
  });

  test("given both at once, only what the second adds to the waiting is the cost", () => {
    const scene = new Scene();
    for (const index of times(12)) {
      scene.ask({ at: index * 20_000, target: `/me?v=${index}`, body: `me ${index}`, server: 39 });
      scene.ask({ at: index * 20_000 + 10, target: `/me?v=${index}`, body: `me ${index}`, server: 49 });
    }
    assert.is(scene.only().time, 12 * 20);
  });

  test("given anything that differs, or a revalidation, it is no duplicate", () => {
    const differences: readonly (readonly [(index: number) => Partial<Asked>, (index: number) => Partial<Asked>])[] = [
      [() => ({}), (index) => ({ body: `other ${index}` })],
      [() => ({}), () => ({ body: null })],
      [() => ({}), () => ({ client: "10.0.0.2 other" })],
      [() => ({ request: { accept: "text/html" } }), () => ({ request: { accept: "application/json" } })],
      [() => ({ request: { authorization: "a" } }), () => ({ request: { authorization: "b" } })],
      [
        () => ({ request: { range: "bytes=0-9" }, status: 206 }),
        () => ({ request: { range: "bytes=0-9" }, status: 206 }),
      ],
      [(index) => ({ method: "POST", sent: `${index}` }), (index) => ({ method: "POST", sent: `${index}x` })],
      [() => ({}), () => ({ status: 304, body: "", request: { "if-none-match": '"1"' } })],
      [() => ({}), () => ({ request: { "if-none-match": '"1"' } })],
    ];
    for (const [first, second] of differences) assert.equal(pairs(first, second).kinds(), []);
  });

  test("given several users behind one client, knows only duplicates of one user, or of a public response", () => {
    const drawn = fc.property(fc.integer({ min: 2, max: 4 }), header, (count, name) => {
      const scene = (response: Readonly<Record<string, string>>, userOf: (index: number) => string) => {
        const made = new Scene();
        for (const index of times(count))
          made.ask({
            at: index * 900,
            target: "/me",
            body: "[]",
            server: 200,
            response,
            request: { [name]: userOf(index) },
          });
        return made.kinds();
      };
      assert.equal(
        scene({}, (index) => `sid=user${index}`),
        [],
      );
      assert.equal(
        scene({}, () => "sid=user"),
        ["duplicate-requests"],
      );
      assert.equal(
        scene({ "cache-control": "public" }, (index) => `sid=user${index}`),
        ["duplicate-requests"],
      );
    });
    fc.assert(drawn);
  });

  test("given one user's answer that no cache may keep, knows duplicates only within a second", () => {
    const kindsOf = (pause: number) => {
      const scene = new Scene();
      const own = { request: { cookie: "sid=one" }, response: { "cache-control": "private, no-store" } };
      for (const index of times(4))
        scene.ask({ at: index * pause, target: "/basket", body: "[]", server: 200, ...own });
      return scene.kinds();
    };
    assert.equal(kindsOf(400), ["duplicate-requests"]);
    assert.equal(kindsOf(1_700), []);
  });
});

const header = fc.constantFrom(
  "cookie",
  "authorization",
  "x-tenant-id",
  "x-user",
  "x-account",
  "x-org-id",
  "x-api-key",
);
