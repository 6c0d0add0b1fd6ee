import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { keptFiguresOf, StoredFigures } from "../../../extensions/proxy/export/stored-figures.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { compareRows } from "../../../src/engine/session/lists/compare-list.ts";
import { figuresOf, type SessionFigures } from "../../../src/engine/session/lists/figures.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { percentileOf } from "../../../src/engine/stats/percentile.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";
import { rounds } from "../../support/rounds.ts";

describe("figures of a stored session", (test) => {
  test("given stored figures, reads them as written; given damaged ones, returns null or leaves them out", () => {
    const written = keptFiguresOf(recorded([1, 2, 3, 4, 5].map((id) => exchange({ id, target: "/a", end: 100 }))));
    assert.equal(figuresIn(JSON.parse(JSON.stringify(written))), written);
    assert.equal(figuresIn(null), null);
    assert.equal(figuresIn({ ...written, bytes: "many" }), null);
    assert.equal(figuresIn({ ...written, endpoints: {} }), null);
    const damaged = { ...written, endpoints: [...written.endpoints, { endpoint: 1 }, null] };
    assert.equal(figuresIn(JSON.parse(JSON.stringify(damaged)))?.endpoints, written.endpoints);
  });

  test(
    "given more endpoints than are kept, keeps those with the most requests; given fewer, all; and the session's sums",
    () => {
      // Of 2,003 endpoints, the first three have five requests each, and all others six.
      const targets = Array.from({ length: 2_003 }, (_, at) => `/${at}`);
      const asked = [...targets.flatMap((target) => Array<string>(5).fill(target)), ...targets.slice(3)];
      const session = recorded(asked.map((target, at) => exchange({ id: at + 1, target, end: 100 })));
      const kept = keptFiguresOf(session);
      assert.equal([kept.endpoints.length, kept.exchanges], [2_000, session.exchanges]);
      assert.ok(kept.endpoints.every(({ requests }) => requests === 6));
      assert.is(figuresOf(session).endpoints.length, 2_003);
      const small = recorded([1, 2, 3, 4, 5].map((id) => exchange({ id, target: "/a", end: 100 })));
      assert.equal(keptFiguresOf(small).endpoints.length, 1);
    },
    { isLong: true },
  );

  test(
    "given names of which a character takes six bytes, stores at most 2 MiB, of the endpoints with the most requests",
    () => {
      const names = Array.from({ length: 400 }, (_, at) => `/${at}-${"\ud800".repeat(1_900)}`);
      const asked = [...names.flatMap((name) => Array<string>(5).fill(name)), ...names.slice(20)];
      const session = recorded(asked.map((target, at) => exchange({ id: at + 1, target, end: 100 })));
      assert.ok(JSON.stringify(figuresOf(session)).length > 2 * 1024 ** 2);
      const kept = keptFiguresOf(session);
      assert.ok(Buffer.byteLength(JSON.stringify(kept)) < 2 * 1024 ** 2 + 10_000);
      assert.ok(kept.endpoints.length > 50 && kept.endpoints.every(({ requests }) => requests === 6));
      assert.is(kept.exchanges, asked.length);
    },
    { isLong: true },
  );

  test("given up to 200 latencies, keeps them all; given more, keeps 200 quantiles; in order, with seven digits", () => {
    const lengths = fc.array(fc.double({ min: 0.01, max: 5_000, noNaN: true }), { minLength: 5, maxLength: 900 });
    fc.assert(
      fc.property(lengths, (latencies) => {
        const session = recorded(latencies.map((end, at) => exchange({ id: at + 1, target: "/a", end })));
        const [stats] = figuresIn(JSON.parse(JSON.stringify(keptFiguresOf(session))))?.endpoints ?? [];
        const kept = stats?.sampled.latencies;
        assert.equal([kept?.count, kept?.p95], [latencies.length, stats?.p95]);
        const values = Array.from(kept?.values ?? []);
        assert.is(values.length, Math.min(latencies.length, 200));
        assert.equal(
          values,
          values.toSorted((one, other) => one - other),
        );
        const sorted = Float64Array.from(latencies).sort();
        for (const [index, value] of values.entries()) {
          const exact = percentileOf(
            sorted,
            latencies.length <= 200 ? index / (values.length - 1) : (index + 0.5) / 200,
          );
          assert.ok(Math.abs(value - exact) <= exact / 1e6, `${value} for ${exact}`);
        }
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given drawn sessions, Compare says of the stored figures what it says of the sessions", () => {
    const microseconds = (least: number, width: number) =>
      fc.array(fc.integer({ min: least, max: least + width }), { minLength: 5, maxLength: 12 });
    const pair = fc
      .tuple(fc.integer({ min: 10_000, max: 4_000_000 }), fc.integer({ min: 0, max: 60 }), fc.constantFrom(500, 20))
      .chain(([least, growth, part]) => {
        const width = Math.ceil(least / part);
        return fc.tuple(microseconds(least, width), microseconds(Math.round(least * (1 + growth / 100)), width));
      });
    const sort = { column: "verdict", descending: true } as const;
    const saidOf = (left: SessionFigures | null, right: SessionFigures | null) => {
      assert.ok(left !== null && right !== null);
      const rows = compareRows({ left, right }, DEFAULT_SETTINGS, [], sort, { from: 0, count: 9 });
      return unwrap(rows).records.map(({ verdict, note }) => [verdict, note]);
    };
    fc.assert(
      fc.property(pair, (drawn) => {
        const [before, now] = drawn.map((latencies) =>
          recorded(latencies.map((end, at) => exchange({ id: at + 1, target: "/a", end: end / 1_000 }))),
        ) as [Session, Session];
        const stored = (session: Session) => figuresIn(JSON.parse(JSON.stringify(keptFiguresOf(session))));
        assert.equal(saidOf(stored(before), stored(now)), saidOf(figuresOf(before), figuresOf(now)));
      }),
      { numRuns: rounds(200) },
    );
  });

  test("given a session's figures, reads them once, and again after they were removed", () => {
    const read: string[] = [];
    const figures = new StoredFigures((id) => {
      read.push(id);
      return null;
    });
    for (const id of ["a", "b", "a"]) assert.is(figures.of(id), null);
    assert.equal(read, ["a", "b"]);
    figures.remove("a");
    figures.of("a");
    assert.equal(read, ["a", "b", "a"]);
  });

  test("given many endpoints, reads them ahead in slices, and once; given a removal meanwhile, does not keep them", async () => {
    const written = keptFiguresOf(recorded([1, 2, 3, 4, 5].map((id) => exchange({ id, target: "/a", end: 100 }))));
    const stored = { ...written, endpoints: Array.from({ length: 5_000 }, () => written.endpoints[0]) };
    let reads = 0;
    const figures = new StoredFigures(() => {
      reads += 1;
      return stored;
    });
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    assert.equal(await figures.ahead("a", pause), figures.of("a"));
    assert.equal(figures.of("a"), stored);
    assert.equal([reads, pauses], [1, 6]);
    const reading = figures.ahead("b", pause);
    figures.remove("b");
    await reading;
    figures.of("b");
    assert.is(reads, 3);
  });
});

/** The figures computed from stored data. */
function figuresIn(stored: unknown) {
  return new StoredFigures(() => stored).of("any");
}
