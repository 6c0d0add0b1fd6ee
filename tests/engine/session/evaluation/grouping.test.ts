import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { GroupingFinder, groupRecordsOf, groupsFoundOf } from "../../../../src/engine/session/evaluation/grouping.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange, withTarget } from "../../../support/exchange.ts";
import { groupsByPairs, intervalOf } from "../../../support/interval-order.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

describe("grouping of similar paths", (test) => {
  test("given paths of one template, lists it with its paths", () => {
    const session = grouped(items(20));
    assert.equal(groupingOf(session), {
      on: true,
      templates: [
        {
          template: "GET https://api.test/items/{id}",
          pattern: "api.test/items/*",
          paths: 20,
          requests: 20,
          examples: ["/items/1", "/items/2", "/items/3"],
        },
      ],
      templateCount: 1,
      forgotten: 0,
    });
  });

  test("given paths that are shown by themselves, lists none", () => {
    const session = new Session();
    for (const one of items(20)) session.add(one);
    assert.equal(groupingOf(session), { on: false, templates: [], templateCount: 0, forgotten: 0 });
  });

  test("given a session that goes on and is regrouped, says what a new look says", () => {
    const paths = fc.constantFrom("/items/7", "/items/8?page=1", "/items/9", "/users", "/users/1/x", "/users/2/x", "*");
    const targets = fc.array(paths, { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(anyExchanges(60), targets, fc.nat(60), (sketches, chosen, cut) => {
        const session = new Session();
        const finder = new GroupingFinder();
        for (const [index, one] of sketches.entries()) {
          if (index === cut) session.regroup(new PathTemplates());
          session.apply(eventsOf(withTarget(one, chosen[index] ?? "/")));
          assert.ok(finder.advance(session));
          assert.equal(finder.of(session), groupingOf(session));
        }
      }),
    );
  });

  test("given a large session, looks at it in parts", () => {
    const session = grouped([]);
    const made = exchange({ id: 1 });
    for (let id = 1; id <= 1_500; id += 1) {
      session.add({ ...withTarget(made, `/items/${id}`), id: id as typeof made.id });
    }
    const finder = new GroupingFinder();
    assert.equal([finder.advance(session, 1_000), finder.advance(session, 1_000)], [false, true]);
    assert.is(finder.of(session).templates[0]?.paths, 1_500);
  });
});

const groupingOf = (session: Session) => new GroupingFinder().of(session);

function grouped(exchanges: readonly Exchange[]): Session {
  const session = new Session(undefined, new PathTemplates());
  for (const one of exchanges) session.add(one);
  return session;
}

function items(count: number): readonly Exchange[] {
  return Array.from({ length: count }, (_, index) => exchange({ id: index + 1, target: `/items/${index + 1}?x=1` }));
}

/** Few different starts, so that many are equal; the last byte may be sent long before the end. */
const sketch = fc.record({
  start: fc.nat(12),
  length: fc.nat(6),
  spoken: fc.nat(6),
  failed: fc.boolean(),
  client: fc.constantFrom("x", "y"),
  status: fc.constantFrom(200, 200, 200, 101),
});

describe("search for groups", (test) => {
  test("given exchanges in flight, upgraded or of a probe, leaves them out", () => {
    const beside = exchange({ id: 1, start: 0, end: 100 });
    const groupsWith = (other: Exchange) => groupRecordsOf(recorded([beside, other])).groups.length;
    assert.is(groupsWith(exchange({ id: 2, start: 10, end: 90 })), 1);
    assert.is(groupsWith(exchange({ id: 2, start: 10, end: null })), 0);
    assert.is(groupsWith(exchange({ id: 2, start: 10, end: 90, tags: ["websocket"] })), 0);
    assert.is(groupsWith(exchange({ id: 2, start: 10, end: 90, status: 101 })), 0);
    assert.is(groupsWith(exchange({ id: 2, start: 10, end: 90, tags: ["probe"] })), 0);
  });

  test("given exchanges in any order, the parallel groups equal those found by comparing every pair", () => {
    const outcome = { kind: "failed", errorType: "server-closed", detail: "It is gone.", status: 502 } as const;
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 16 }), (sketches) => {
        const exchanges = sketches.map(({ start, length, spoken, failed, client, status }, index) => {
          const responseEnd = failed ? null : start + Math.min(spoken, length);
          const fate = failed ? { outcome } : { status };
          return exchange({ id: index + 1, start, end: start + length, client, instants: { responseEnd }, ...fate });
        });
        const records = groupRecordsOf(recorded(exchanges));
        const { groups, groupOf } = groupsFoundOf(structuredClone(records));
        const found = groups.map(({ exchanges: ids }) => ids.toSorted((left, right) => left - right).join());
        for (const { id } of exchanges)
          assert.is(groupOf(id), groups.find((group) => group.exchanges.includes(id))?.exchanges[0] ?? null);
        assert.equal(found.toSorted(), groupsByPairs(exchanges.flatMap((one) => intervalOf(one) ?? [])).toSorted());
      }),
      { numRuns: rounds(500) },
    );
  });
});
