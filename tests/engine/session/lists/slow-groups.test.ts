import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import {
  causeKeyOf,
  type SlowCause,
  type SlowEndpointRecord,
  type SlowOverview,
} from "../../../../src/engine/messages/latency-messages.ts";
import type { Endpoint } from "../../../../src/engine/model/endpoint.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { NO_SLOW_CAUSES, type SlowCausesFound } from "../../../../src/engine/session/evaluation/insights.ts";
import { slowCauseRecordsOf, slowCausesIn } from "../../../../src/engine/session/evaluation/slow-cause-search.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import type { Filter } from "../../../../src/engine/session/filter/term.ts";
import { SlowGroupList } from "../../../../src/engine/session/lists/slow-groups.ts";
import { slowRows } from "../../../../src/engine/session/lists/slow-list.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";
import { type Asked, Scene } from "../../../support/scene.ts";

const ALL = { cause: "all", endpoint: null, range: { from: 0, count: 1_000 } } as const;

interface Stage {
  readonly session: Session;
  readonly evaluator: InsightEvaluator;
  readonly causes: SlowCausesFound;
}

function stageOf(asked: readonly Asked[], fixedThreshold: number | null = null): Stage {
  const scene = new Scene();
  for (const one of asked) scene.ask(one);
  const session = recorded(scene.facts.map(({ exchange }) => exchange));
  const records = slowCauseRecordsOf(session, trafficOf(scene.facts, []));
  const found = slowCausesIn(session, structuredClone(records));
  return {
    session,
    evaluator: new InsightEvaluator(session, { ...DEFAULT_SETTINGS, fixedThreshold }),
    causes: { progress: 1, leftOut: 0, ...found },
  };
}

function rowsOf({ session, evaluator, causes }: Stage, query: Partial<typeof ALL> = {}, filter: Filter = []) {
  const [overview, ...endpoints] = new SlowGroupList().read(
    session,
    filter,
    { ...ALL, ...query },
    evaluator,
    causes,
  ).records;
  return { overview: overview as SlowOverview | undefined, endpoints: endpoints as readonly SlowEndpointRecord[] };
}

function endpointsOf(...asked: Parameters<typeof rowsOf>): readonly SlowEndpointRecord[] {
  return rowsOf(...asked).endpoints;
}

function membersOf({ session, evaluator, causes }: Stage, endpoint: Endpoint | null, group: string | null) {
  return slowRows(session, [], { ...ALL, endpoint, group }, evaluator, () => causes).records.map(({ id }) => id);
}

function told({ causes }: SlowEndpointRecord): readonly (readonly [string, number])[] {
  return causes.map(({ cause, count }) => [causeKeyOf(cause), count] as const);
}

/** 100 requests a second apart; every tenth misses the cache and takes 300 ms longer. */
const CACHED: readonly Asked[] = Array.from({ length: 100 }, (_, index) => ({
  at: index * 1_000,
  target: `/search?q=${index % 4}`,
  path: "/search",
  server: 20 + (index % 7) + (index % 10 === 0 ? 300 + index : 0),
  response: { "x-cache": index % 10 === 0 ? "MISS" : "HIT" },
}));

describe("slow request groups", (test) => {
  test("given a header that the slow ones share, names it with how many have it on both sides", () => {
    const stage = stageOf(CACHED);
    const [row, ...rest] = endpointsOf(stage);
    assert.equal(rest, []);
    assert.equal([row?.method, row?.path, row?.count, row?.causes.length], ["GET", "/search", 5, 1]);
    const cause = row?.causes[0]?.cause;
    assert.ok(cause?.kind === "attribute");
    assert.equal([cause.name, cause.value], ["response-header:x-cache", "MISS"]);
    assert.equal([cause.slowWith, cause.slow, cause.othersWith, cause.others], [5, 5, 5, 95]);
  });

  test("given a comparison that cuts elsewhere than the limit, tells the counts above its cut too", () => {
    const stage = stageOf(CACHED);
    const cutOf = (fixedThreshold: number | null) => {
      const evaluator = new InsightEvaluator(stage.session, { ...DEFAULT_SETTINGS, fixedThreshold });
      const cause = endpointsOf({ ...stage, evaluator })[0]?.causes[0]?.cause;
      assert.ok(cause?.kind === "attribute");
      return cause;
    };
    const { cut, slowWith } = cutOf(null);
    assert.is(slowWith, 5);
    assert.equal([cut?.slowWith, cut?.slow, cut?.othersWith, cut?.others], [10, 10, 0, 90]);
    assert.ok((cut?.at ?? 0) > 26 && (cut?.at ?? 0) < 320, "between the hits and the misses");
    assert.equal([cutOf(100).slowWith, cutOf(100).cut], [10, null]);
  });

  test("given a fixed threshold, tells which limit makes a request slow: the lower one", () => {
    const p95 = endpointsOf(stageOf(CACHED))[0]?.limit ?? 0;
    assert.ok(p95 > 20);
    for (const [fixedThreshold, limit, isP95] of [
      [null, p95, true],
      [p95 + 1, p95, true],
      [15, 15, false],
    ] as const) {
      const [row] = endpointsOf(stageOf(CACHED, fixedThreshold));
      assert.equal([row?.limit, row?.isP95], [limit, isP95]);
    }
  });

  test("given overlapping slow requests of one client, counts their lost time once", () => {
    const asked = Array.from({ length: 60 }, (_, index) => ({ at: index * 1_000, target: "/a", server: 20 }));
    const slow = [0, 100].map((late) => ({ at: 100_000 + late, target: "/a", server: 1_000 - late }));
    const [row] = endpointsOf(stageOf([...asked, ...slow]));
    assert.equal([row?.count, row?.p50, row?.lost, row?.causes[0]?.lost], [2, 21, 1_001 - 21, 1_001 - 21]);
  });

  test("given a lower fixed threshold, lists no fewer requests and loses no less time", () => {
    const latencies = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 5, maxLength: 40 });
    const thresholds = fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }));
    fc.assert(
      fc.property(latencies, thresholds, (servers, limits) => {
        const asked = servers.map((server, index) => ({ at: index * 500, target: "/a", server }));
        const [lower, higher] = limits.toSorted((left, right) => left - right);
        const sums = [lower, higher, null].map((limit) => {
          const [row] = endpointsOf(stageOf(asked, limit));
          return { count: row?.count ?? 0, lost: row?.lost ?? 0 };
        });
        for (const [index, { count, lost }] of sums.entries()) {
          const { count: fewer, lost: less } = sums[index + 1] ?? { count: 0, lost: 0 };
          assert.ok(count >= fewer && lost >= less, `${count} requests and ${lost} ms, not ${fewer} and ${less} ms`);
        }
      }),
      { numRuns: rounds(50) },
    );
  });

  test("given a new connection that took the time, says so whatever else is shared", () => {
    const asked = CACHED.map((one, index) =>
      index === 55 ? { ...one, dns: 100, connect: 200, tls: 400, reused: false } : one,
    );
    assert.equal(endpointsOf(stageOf(asked)).flatMap(told).toSorted(), [
      ["connection", 1],
      ["response-header:x-cache=MISS", 4],
    ]);
  });

  test("given few requests, or nothing in common, names no cause", () => {
    const asked = [8, 60].flatMap((count, which) =>
      Array.from({ length: count }, (_, index) => ({
        at: which * 100_000 + index * 1_000,
        target: `/${which}`,
        server: index === 5 ? 500 : 20 + (index % 5),
      })),
    );
    const endpoints = endpointsOf(stageOf(asked));
    assert.is(endpoints.length, 2);
    for (const row of endpoints) assert.equal([row.isWithoutCause, told(row)], [true, [["none", row.count]]]);
  });

  test("given endpoints with and without a common cause, lists them by what they lost", () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 9_000 }), fc.integer({ min: 50, max: 9_000 }), (excess, missed) => {
        const plain = Array.from({ length: 60 }, (_, index) => ({
          at: index * 1_000,
          target: `/plain/${index % 2 === 0 ? "a" : "b"}`,
          server: index % 20 < 2 ? excess + index : 20 + (index % 5),
        }));
        const cached = CACHED.map((one, index) => ({ ...one, server: 20 + (index % 10 === 0 ? missed + index : 0) }));
        const endpoints = endpointsOf(stageOf([...plain, ...cached]));
        const lost = endpoints.map((row) => row.lost);
        assert.equal(endpoints.map(({ isWithoutCause }) => isWithoutCause).toSorted(), [false, true, true]);
        assert.equal(
          lost,
          lost.toSorted((left, right) => right - left),
        );
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given two causes of one endpoint, names both", () => {
    const asked = Array.from({ length: 400 }, (_, index) => {
      const [isMiss, isSlowMachine] = [index % 20 === 3, index % 25 === 7];
      return {
        at: index * 1_000,
        target: "/search",
        server: 20 + (index % 3) + (isMiss ? 400 : 0) + (isSlowMachine ? 380 : 0),
        response: { "x-cache": isMiss ? "MISS" : "HIT" },
        address: isSlowMachine ? "192.0.2.9:443" : "192.0.2.1:443",
      };
    });
    const keys = endpointsOf(stageOf(asked, 100))
      .flatMap(told)
      .map(([key]) => key);
    assert.equal(keys.toSorted(), ["response-header:x-cache=MISS", "server-address=192.0.2.9:443"]);
  });

  test("given no comparison yet, counts slow requests by endpoint without causes", () => {
    const { overview, endpoints } = rowsOf({ ...stageOf(CACHED), causes: NO_SLOW_CAUSES });
    assert.is(overview?.progress, 0);
    assert.equal(
      endpoints.map(({ count, causes, arrived, isWithoutCause }) => [count, causes.length, arrived, isWithoutCause]),
      [[5, 0, 0, false]],
    );
  });

  test("given slow requests since the last comparison, counts them for the endpoint but for no cause", () => {
    const stage = stageOf(CACHED);
    const before = endpointsOf(stage)[0];
    const scene = new Scene();
    for (const at of [200_000, 201_000]) scene.ask({ ...(CACHED[0] as Asked), at, server: 900 });
    for (const { exchange } of scene.facts)
      stage.session.add({ ...exchange, id: (stage.session.exchanges + 1) as ExchangeId });
    const [row, ...rest] = endpointsOf(stage);
    assert.equal(rest, []);
    assert.is(row?.arrived, 2);
    assert.is(row?.count, 2 + (row?.causes ?? []).reduce((sum, { count }) => sum + count, 0));
    assert.is(before?.arrived, 0);
  });

  test("given an endpoint with too few requests to compare, does not wait for a comparison", () => {
    const few = Array.from({ length: 12 }, (_, index) => ({
      at: index * 1_000,
      target: "/few",
      server: index === 5 ? 500 : 20,
    }));
    const { session, evaluator } = stageOf(few);
    const causes = { ...NO_SLOW_CAUSES, progress: 1 };
    const [row] = endpointsOf({ session, evaluator, causes });
    assert.equal([row?.arrived, row?.isWithoutCause, row?.causes.length], [0, true, 1]);
  });

  test("given a cause, an endpoint or a filter, lists only matching groups", () => {
    const stage = stageOf([...CACHED, ...CACHED.map((one) => ({ ...one, target: "/other", path: "/other" }))]);
    assert.is(endpointsOf(stage).length, 2);
    assert.equal(rowsOf(stage, { cause: "transfer" as never }), { overview: undefined, endpoints: [] });
    const [first] = endpointsOf(stage);
    assert.equal(
      endpointsOf(stage, { endpoint: first?.endpoint as never }).map(({ endpoint }) => endpoint),
      [first?.endpoint],
    );
    const filter = unwrap(filterOf("q=0"));
    assert.equal(endpointsOf(stage, {}, filter).flatMap(told), [["response-header:x-cache=MISS", 2]]);
  });

  test("given a growing session, a filter and other causes, returns the same records as a new list", () => {
    const stage = stageOf(CACHED);
    const { session, evaluator, causes } = stage;
    const list = new SlowGroupList();
    const filter = unwrap(filterOf("q=0"));
    const assertSame = (asked: Filter, found: SlowCausesFound) =>
      assert.equal(
        list.read(session, asked, ALL, evaluator, found).records,
        new SlowGroupList().read(session, asked, ALL, evaluator, found).records,
      );
    assertSame([], causes);
    for (const late of CACHED.slice(0, 3)) {
      const scene = new Scene();
      scene.ask({ ...late, at: 200_000, server: 900 });
      const [added] = scene.facts;
      assert.ok(added !== undefined);
      session.add({ ...added.exchange, id: (session.exchanges + 1) as ExchangeId });
      assertSame([], causes);
    }
    assertSame(filter, causes);
    assertSame([], NO_SLOW_CAUSES);
  });

  test("given any requests, each slow one is in exactly one cause, and each cause lists its requests", () => {
    const asked = fc.record({
      at: fc.nat(100_000),
      target: fc.constantFrom("/a", "/b?q=1", "/b?q=2", "/c"),
      server: fc.oneof(fc.nat(30), fc.integer({ min: 200, max: 900 })),
      transfer: fc.oneof(fc.nat(3), fc.integer({ min: 100, max: 500 })),
      connect: fc.constantFrom(undefined, undefined, 5, 400),
      status: fc.constantFrom(200, 200, 302, 404, 500),
      response: fc.constantFrom({ "x-cache": "HIT" }, { "x-cache": "MISS" }),
      client: fc.constantFrom("10.0.0.1 a/1", "10.0.0.2 b/1"),
    });
    fc.assert(
      fc.property(
        fc.array(asked, { minLength: 5, maxLength: 120 }),
        fc.constantFrom(null, 250),
        (sketches, threshold) => {
          const stage = stageOf(
            sketches.map(({ connect, ...rest }) => ({ ...rest, ...(connect === undefined ? {} : { connect }) })),
            threshold,
          );
          const endpoints = endpointsOf(stage);
          const idsOf = (endpoint: Endpoint | null, group: string | null) =>
            membersOf(stage, endpoint, group).toSorted((left, right) => left - right);
          const members = endpoints.flatMap(({ endpoint, causes, count }) => {
            const ids = causes.flatMap((sum) => {
              const own = idsOf(endpoint, causeKeyOf(sum.cause));
              assert.is(own.length, sum.count);
              return own;
            });
            assert.equal(
              ids.toSorted((left, right) => left - right),
              idsOf(endpoint, null),
            );
            assert.is(ids.length, count);
            return ids;
          });
          assert.equal(
            members.toSorted((left, right) => left - right),
            idsOf(null, null),
          );
          const countOf = (cause: SlowCause) =>
            slowRows(stage.session, [], { ...ALL, group: null, cause }, stage.evaluator, () => stage.causes).matched;
          const counts = (["server", "transfer", "connection", "weir", "none"] as const).map(countOf);
          assert.is(
            counts.reduce((sum, count) => sum + count, 0),
            countOf("all"),
          );
          for (const sums of [endpoints, ...endpoints.map(({ causes }) => causes)]) {
            const lost = sums.map((sum) => sum.lost);
            assert.equal(
              lost,
              lost.toSorted((left, right) => right - left),
            );
          }
        },
      ),
      { numRuns: rounds(100) },
    );
  });
});
