import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { FindingSearch } from "../../../../src/engine/insights/findings/index.ts";
import { FINDING_KINDS } from "../../../../src/engine/model/finding.ts";
import { NO_WAITING } from "../../../../src/engine/model/where.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../support/scene.ts";

const optional = <One>(values: fc.Arbitrary<One>) => fc.option(values, { nil: undefined });

/** Arbitrary requests with few endpoints, clients and bodies, so that every kind has candidates. */
const request = fc
  .record({
    at: fc.integer({ min: 0, max: 120_000 }),
    client: fc.constantFrom("10.0.0.1 app", "10.0.0.2 browser"),
    method: fc.constantFrom("GET", "GET", "GET", "POST", "OPTIONS"),
    origin: fc.constantFrom("https://a.test", "https://b.test"),
    target: fc.constantFrom("/", "/a?n=1", "/a?n=2", "/users/1", "/users/2", "/users/3", "/users/4", "/users/5"),
    server: fc.constantFrom(5, 40, 60, 400, 1_500),
    transfer: fc.constantFrom(0, 1, 300),
    upload: fc.constantFrom(0, 0, 200),
    queued: fc.constantFrom(0, 0, 90),
    status: fc.constantFrom(200, 200, 200, 204, 206, 301, 304, 401, 404, 429, 500, 503),
    body: fc.constantFrom("x", "y", "", null),
    bytes: fc.constantFrom(0, 100, 90_000, 900_000),
    compressed: optional(fc.constantFrom(10, 9_000)),
    connect: optional(fc.constantFrom(3, 250)),
    tls: optional(fc.constantFrom(8, 300)),
    sentBytes: fc.constantFrom(0, 0, 50_000),
    operation: optional(fc.constantFrom("Get", "Put")),
    weir: optional(fc.constantFrom(0.2, 20)),
    tags: fc.constantFrom<Asked["tags"]>([], [], [], ["event-stream"], ["websocket"], ["probe"]),
    events: optional(
      fc
        .array(fc.integer({ min: 0, max: 120_000 }).map(Number), { maxLength: 12 })
        .map((list) => list.sort((a, b) => a - b)),
    ),
    request: fc.constantFrom<Record<string, string>>(
      {},
      { "accept-encoding": "gzip" },
      { range: "bytes=0-" },
      { cookie: "c".repeat(5_000) },
      { "access-control-request-method": "PUT" },
    ),
    response: fc.constantFrom<Record<string, string>>(
      {},
      { location: "/a" },
      { "retry-after": "1" },
      { "x-cache": "HIT" },
      { "x-cache": "MISS" },
      { "server-timing": "db;dur=3" },
    ),
  })
  .map((drawn): Asked => {
    const known = Object.fromEntries(
      Object.entries(drawn).filter(([, value]) => value !== undefined),
    ) as unknown as Asked;
    const { at, events } = known;
    // Events come while their stream lasts.
    return events === undefined
      ? known
      : { ...known, tags: ["event-stream"], transfer: 130_000, events: events.map((after) => at + 2_500 + after) };
  });

const scene = fc
  .record({
    asked: fc.array(request, { maxLength: 150, size: "max" }),
    pairs: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 60 }),
  })
  .map(({ asked, pairs }) => {
    const made = new Scene();
    const ids = asked.toSorted((left, right) => left.at - right.at).map((one) => made.ask(one));
    for (const [one, other, isProven] of ids.length < 2 ? [] : pairs) {
      const [from, to] = [ids[one % ids.length], ids[other % ids.length]];
      if (from === undefined || to === undefined || from >= to) continue;
      if (isProven) made.prove(from, to);
      else made.follow(from, to);
    }
    return made;
  });

describe("all findings of a session", (test) => {
  test("given any session, findings pass the gate, cost no more than the session took, and name exchanges that are there", () => {
    fc.assert(
      fc.property(scene, (made) => {
        const report = made.report();
        const spent = report.duration * report.clients;
        for (const { kind, time, bytes, exchanges, count, endpoint, origin, client } of report.findings) {
          assert.ok(FINDING_KINDS.includes(kind));
          assert.ok(time === null || (time >= 0 && time <= spent + 1e-6), `${kind}: ${time} of ${spent}`);
          assert.ok(bytes === null || bytes >= 0);
          assert.ok(exchanges.length > 0 && exchanges.length <= 100 && count > 0);
          assert.is(new Set(exchanges).size, exchanges.length, kind);
          assert.ok(exchanges.every((id) => id >= 1 && id <= made.facts.length));
          assert.ok(endpoint !== null || origin !== null || client !== null);
        }
      }),
      { numRuns: rounds(150) },
    );
  });

  test("given the same exchanges in any order, the report is the same", () => {
    fc.assert(
      fc.property(scene, (made) => {
        const other = new FindingSearch(made.facts.toReversed(), made.links.toReversed(), {
          source: "scene",
          baseline: new Map(),
        }).findAll().report;
        assert.equal(other, made.report());
      }),
      { numRuns: rounds(100) },
    );
  });

  test("given any session, summaries and advice have at most about twenty words a sentence", () => {
    fc.assert(
      fc.property(scene, (made) => {
        for (const { kind, summary, advice, basis } of made.report().findings)
          for (const sentence of [summary, advice, basis].flatMap((text) => text.split(/\. /)))
            assert.ok(sentence.split(/\s+/).length <= 21, `${kind}: ${sentence}`);
      }),
      { numRuns: rounds(100) },
    );
  });

  test("given the same refetches beside a slower endpoint, the session still holds them, and a server below its share", () => {
    const drawn = fc.record({
      again: fc.integer({ min: 3, max: 9 }),
      server: fc.integer({ min: 210, max: 300 }),
      other: fc.constantFrom(20, 20_000),
    });
    fc.assert(
      fc.property(drawn, ({ again, server, other }) => {
        const made = new Scene();
        for (const index of times(again)) {
          made.ask({ at: index * 90_000, target: "/app.js", type: "text/javascript", body: "app", server: 60 });
          made.ask({ at: index * 90_000 + 5_000, target: "/steady", server });
          made.ask({ at: index * 90_000 + 10_000, target: "/other", server: other });
        }
        const search = new FindingSearch(made.facts, made.links, { source: "scene", baseline: new Map() });
        const { findings } = search.findAll().report;
        const held = search.ungated();
        const told = (list: typeof findings) => new Set(list.map(({ kind, endpoint }) => `${kind} ${endpoint?.path}`));
        const refetches = "unchanged-refetches /app.js";
        assert.is(told(findings).has(refetches), other === 20);
        assert.ok(told(held).has(refetches));
        assert.is(told(held).has("slow-server /steady"), again >= 5);
        for (const one of told(findings)) assert.ok(told(held).has(one), one);
      }),
    );
  });

  test("given no exchange, or only such that count in no statistic, the report is empty", () => {
    const made = new Scene();
    assert.equal(made.report(), {
      schema: 1,
      source: "scene",
      exchanges: 0,
      clients: 0,
      duration: 0,
      waiting: 0,
      where: NO_WAITING,
      findings: [],
    });
    for (const index of times(30)) made.ask({ at: index * 100, tags: ["probe"], status: 500 });
    assert.is(made.report().exchanges, 0);
  });

  test("given two clients that wait at once, each of them waits; one that waits for two answers waits once", () => {
    const made = new Scene();
    made.ask({ at: 0, server: 99 });
    made.ask({ at: 50, server: 99 });
    made.ask({ at: 50, server: 99, client: "10.0.0.2 other" });
    made.ask({ at: 1_000, server: 30, transfer: 60_000, tags: ["event-stream"] });
    assert.is(made.report().waiting, 150 + 100 + 30);
  });
});
