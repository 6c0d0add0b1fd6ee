import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { causeKeyOf, type SlowGroupRecord } from "../../../../src/engine/messages/latency-messages.ts";
import type { Endpoint } from "../../../../src/engine/model/endpoint.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { NO_SLOW_CAUSES, type SlowCausesFound } from "../../../../src/engine/session/evaluation/findings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { slowCausesOf } from "../../../../src/engine/session/evaluation/slow-cause-search.ts";
import { type Filter, filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { SlowGroupList } from "../../../../src/engine/session/lists/slow-groups.ts";
import { slowRows } from "../../../../src/engine/session/lists/slow-list.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { recorded } from "../../../support/recorded.ts";
import { type Asked, Scene } from "../../../support/scene.ts";
import { resultOf } from "../../../support/slices.ts";

const ALL = { cause: "all", endpoint: null, range: { from: 0, count: 1_000 } } as const;

interface Stage {
  readonly session: Session;
  readonly judge: InsightEvaluator;
  readonly causes: SlowCausesFound;
}

function stageOf(asked: readonly Asked[], fixedThreshold: number | null = null): Stage {
  const scene = new Scene();
  for (const one of asked) scene.ask(one);
  const session = recorded(scene.facts.map(({ exchange }) => exchange));
  const found = resultOf(slowCausesOf(session, resultOf(trafficOf(scene.facts, []))));
  return {
    session,
    judge: new InsightEvaluator(session, { ...DEFAULT_SETTINGS, fixedThreshold }),
    causes: { progress: 1, leftOut: 0, ...found },
  };
}

function groupsOf({ session, judge, causes }: Stage, query: Partial<typeof ALL> = {}, filter: Filter = []) {
  return new SlowGroupList().read(session, filter, { ...ALL, ...query }, judge, causes).records;
}

function membersOf({ session, judge, causes }: Stage, endpoint: Endpoint | null, group: string | null) {
  return slowRows(session, [], { ...ALL, endpoint, group }, judge, () => causes).records.map(({ id }) => id);
}

function told({ cause, count }: SlowGroupRecord): readonly [string, number] {
  return [causeKeyOf(cause), count];
}

/** 100 requests a second apart; every tenth misses the cache and takes 300 ms longer. */
const CACHED: readonly Asked[] = Array.from({ length: 100 }, (_, index) => ({
  at: index * 1_000,
  target: `/search?q=${index % 4}`,
  path: "/search",
  server: 20 + (index % 7) + (index % 10 === 0 ? 300 + index : 0),
  response: { "x-cache": index % 10 === 0 ? "MISS" : "HIT" },
}));

describe("groups of slow requests", (test) => {
  test("given a header that the slow ones share, names it with how many have it on both sides", () => {
    const stage = stageOf(CACHED);
    const [group, ...rest] = groupsOf(stage);
    assert.equal(rest, []);
    assert.equal([group?.method, group?.path, group?.count], ["GET", "/search", 5]);
    const { cause } = group as SlowGroupRecord;
    assert.ok(cause.kind === "attribute");
    assert.equal([cause.name, cause.value], ["response-header:x-cache", "MISS"]);
    assert.equal([cause.slowWith, cause.slow, cause.othersWith, cause.others], [5, 5, 5, 95]);
  });

  test("given a fixed threshold, tells which limit makes a request slow: the lower one", () => {
    const p95 = groupsOf(stageOf(CACHED))[0]?.limit ?? 0;
    assert.ok(p95 > 20);
    for (const [fixedThreshold, limit, isP95] of [
      [null, p95, true],
      [p95 + 1, p95, true],
      [15, 15, false],
    ] as const) {
      const [group] = groupsOf(stageOf(CACHED, fixedThreshold));
      assert.equal([group?.limit, group?.isP95], [limit, isP95]);
    }
  });

  test("tells the time above the usual latency once where requests of a client overlap", () => {
    const asked = Array.from({ length: 60 }, (_, index) => ({ at: index * 1_000, target: "/a", server: 20 }));
    const slow = [0, 100].map((late) => ({ at: 100_000 + late, target: "/a", server: 1_000 - late }));
    const [group] = groupsOf(stageOf([...asked, ...slow]));
    assert.equal([group?.count, group?.p50, group?.lost], [2, 21, 1_001 - 21]);
  });

  test("given a new connection that took the time, says so whatever else is shared", () => {
    const asked = CACHED.map((one, index) =>
      index === 55 ? { ...one, dns: 100, connect: 200, tls: 400, reused: false } : one,
    );
    assert.equal(groupsOf(stageOf(asked)).map(told).toSorted(), [
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
    for (const { cause } of groupsOf(stageOf(asked))) assert.is(cause.kind, "none");
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
    const keys = groupsOf(stageOf(asked, 100)).map((group) => causeKeyOf(group.cause));
    assert.equal(keys.toSorted(), ["response-header:x-cache=MISS", "server-address=192.0.2.9:443"]);
  });

  test("before requests were compared, says that they were not", () => {
    const stage = { ...stageOf(CACHED), causes: NO_SLOW_CAUSES };
    assert.equal(groupsOf(stage).map(told), [["unknown", 5]]);
  });

  test("can be narrowed to a cause, an endpoint and a filter", () => {
    const stage = stageOf([...CACHED, ...CACHED.map((one) => ({ ...one, target: "/other", path: "/other" }))]);
    assert.is(groupsOf(stage).length, 2);
    assert.is(groupsOf(stage, { cause: "transfer" as never }).length, 0);
    const [first] = groupsOf(stage);
    assert.equal(
      groupsOf(stage, { endpoint: first?.endpoint as never }).map(({ endpoint }) => endpoint),
      [first?.endpoint],
    );
    const filter = unwrap(filterOf("q=0"));
    assert.equal(groupsOf(stage, {}, filter).map(told), [["response-header:x-cache=MISS", 2]]);
  });

  test("given a session that grows, a filter and other causes, tells what a new list tells", () => {
    const stage = stageOf(CACHED);
    const { session, judge, causes } = stage;
    const list = new SlowGroupList();
    const filter = unwrap(filterOf("q=0"));
    const assertSame = (asked: Filter, found: SlowCausesFound) =>
      assert.equal(
        list.read(session, asked, ALL, judge, found).records,
        groupsOf({ ...stage, causes: found }, {}, asked),
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

  test("every slow request is in exactly one group, which lists what it counts", () => {
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
          const groups = groupsOf(stage);
          const members = groups.flatMap(({ endpoint, cause, count }) => {
            const ids = membersOf(stage, endpoint, causeKeyOf(cause));
            assert.is(ids.length, count);
            return ids;
          });
          const all = membersOf(stage, null, null);
          assert.equal(
            members.toSorted((left, right) => left - right),
            all.toSorted((left, right) => left - right),
          );
          const lost = groups.map((group) => group.lost);
          assert.equal(
            lost,
            lost.toSorted((left, right) => right - left),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});
