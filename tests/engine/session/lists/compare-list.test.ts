import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { verdictText } from "../../../../src/engine/insights/comparison-text.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { compareRows, comparisonOf } from "../../../../src/engine/session/lists/compare-list.ts";
import { figuresOf } from "../../../../src/engine/session/lists/figures.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";
import { times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

const ALL = { from: 0, count: 100 };

describe("compare list", (test) => {
  test("given two sessions, lists both sides of each endpoint and the change", () => {
    const left = figuresOf(session(100, "/a", "/old"));
    const right = figuresOf(session(150, "/a", "/new"));
    const rows = unwrap(compareRows({ left, right }, DEFAULT_SETTINGS, [], { column: "p95", descending: true }, ALL));
    assert.equal(
      rows.records.map(({ path, left: before, right: after, change }) => [path, before?.p95, after?.p95, change.p95]),
      [
        ["/a", 100, 150, 50],
        ["/old", 100, undefined, null],
        ["/new", undefined, 150, null],
      ],
    );
    const byName = unwrap(
      compareRows({ left, right }, DEFAULT_SETTINGS, [], { column: "endpoint", descending: false }, ALL),
    );
    assert.equal(
      byName.records.map(({ path }) => path),
      ["/a", "/new", "/old"],
    );
  });

  test("given verdicts, lists slower endpoints first, with request counts and a total per verdict", () => {
    const random = seeded(8);
    const drawn = (medians: Readonly<Record<string, readonly [median: number, count: number]>>) =>
      recorded(
        Object.entries(medians).flatMap(([target, [median, count]], position) =>
          Array.from({ length: count }, (_, index) =>
            exchange({ id: position * 1_000 + index + 1, target, end: lognormal(random, median, 0.3) }),
          ),
        ),
      );
    const left = { "/slower": [100, 200], "/faster": [100, 200], "/same": [100, 200], "/few": [100, 6] } as const;
    const right = { ...left, "/slower": [140, 200], "/faster": [70, 200], "/new": [50, 9] } as const;
    const pair = { left: figuresOf(drawn(left)), right: figuresOf(drawn(right)) };
    const rows = unwrap(compareRows(pair, DEFAULT_SETTINGS, [], { column: "verdict", descending: true }, ALL));
    assert.equal(
      rows.records.map(({ path, verdict, samples }) => [path, verdict, samples.left, samples.right]),
      [
        ["/slower", "slower", 200, 200],
        ["/faster", "faster", 200, 200],
        ["/few", "unknown", 6, 6],
        ["/same", "same", 200, 200],
        ["/new", "absent", 0, 9],
      ],
    );
    assert.match(rows.records[2]?.note ?? "", /^can't tell: n = 6, about \d+ needed$/);
    const comparison = comparisonOf(pair, DEFAULT_SETTINGS, []);
    const counts = { slower: 1, faster: 1, unknown: 1, "same-median": 0, same: 1, absent: 1 };
    assert.equal(comparison?.counts, counts);
    assert.equal([comparison?.overall?.endpoints, comparison?.overall?.untold], [4, 1]);
    const largest = comparison?.overall?.most;
    assert.is(
      largest?.endpoint,
      (comparison?.overall?.change ?? 0) > 0 ? "GET https://api.test/slower" : "GET https://api.test/faster",
    );
  });

  test("given two sessions, their verdicts are the opposite of those of the sessions exchanged", () => {
    const opposites: Readonly<Record<string, string>> = { slower: "faster", faster: "slower" };
    const side = fc.record({
      seed: fc.integer(),
      count: fc.integer({ min: 5, max: 60 }),
      median: fc.integer({ min: 80, max: 130 }),
      spread: fc.constantFrom(0.05, 0.3, 1),
    });
    const endpoints = fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(endpoints, (drawn) => {
        const [one, other] = [0, 1].map((index) =>
          figuresOf(
            recorded(
              drawn.flatMap((pair, position) => {
                const { seed, count, median, spread } = pair[index === 0 ? 0 : 1];
                const random = seeded(seed);
                return times(count).map((at) =>
                  exchange({
                    id: position * 100 + at + 1,
                    target: `/${position}`,
                    end: lognormal(random, median, spread),
                  }),
                );
              }),
            ),
          ),
        ) as [ReturnType<typeof figuresOf>, ReturnType<typeof figuresOf>];
        const [there, back] = [
          { left: one, right: other },
          { left: other, right: one },
        ].map((pair) =>
          unwrap(compareRows(pair, DEFAULT_SETTINGS, [], { column: "endpoint", descending: false }, ALL)).records.map(
            (record) => ({ verdict: record.verdict, text: verdictText(record) }),
          ),
        );
        const reversed = (text: string) => text.replace(/slower|faster/, (word) => opposites[word] ?? word);
        assert.equal(
          back,
          there?.map(({ verdict, text }) => ({ verdict: opposites[verdict] ?? verdict, text: reversed(text) })),
        );
      }),
      { numRuns: rounds(150) },
    );
  });

  test("given endpoints that changed, lists the largest loss of time first, then the largest gain, then the rest", () => {
    const random = seeded(10);
    const side = (medians: Readonly<Record<string, readonly [median: number, count: number]>>) =>
      figuresOf(
        recorded(
          Object.entries(medians).flatMap(([target, [median, count]], position) =>
            times(count).map((index) =>
              exchange({ id: position * 1_000 + index + 1, target, end: lognormal(random, median, 0.3) }),
            ),
          ),
        ),
      );
    const before = {
      "/same": [500, 200],
      "/doubled": [10, 100],
      "/costly": [400, 300],
      "/gain": [300, 200],
      "/big": [900, 200],
    } as const;
    const left = side(before);
    const right = side({
      ...before,
      "/doubled": [20, 100],
      "/costly": [520, 300],
      "/gain": [200, 200],
      "/big": [500, 200],
    });
    const rowsBy = (column: "verdict" | "lost") =>
      unwrap(compareRows({ left, right }, DEFAULT_SETTINGS, [], { column, descending: true }, ALL)).records;
    assert.equal(
      rowsBy("verdict").map(({ path, verdict }) => [path, verdict]),
      [
        ["/costly", "slower"],
        ["/doubled", "slower"],
        ["/big", "faster"],
        ["/gain", "faster"],
        ["/same", "same"],
      ],
    );
    const [costly] = rowsBy("verdict");
    const mean = (300 * 120 * Math.exp(0.3 ** 2 / 2)) / 1_000;
    assert.ok(Math.abs((costly?.lost ?? 0) / 1_000 - mean) < mean / 3, `${costly?.lost} ms`);
    assert.is(rowsBy("lost").at(-1)?.path, "/big");
  });

  const drawnSide = (random: () => number, groups: readonly (readonly [median: number, count: number])[]) =>
    figuresOf(
      recorded(
        groups.flatMap(([median, count], position) =>
          times(count).map((index) =>
            exchange({
              id: position * 100 + index + 1,
              target: `/endpoint-${"abcdefghijklmnop"[position]}`,
              end: lognormal(random, median, 0.3),
            }),
          ),
        ),
      ),
    );

  test("given sessions without a change, at most 1 comparison of 20 has a verdict", () => {
    const random = seeded(12);
    const [comparisons, endpoints] = [rounds(200), 12];
    const wrong = times(comparisons).filter(() => {
      const side = () =>
        drawnSide(
          random,
          times(endpoints).map((position) => [100, 5 + (position % 5)] as const),
        );
      const counts = comparisonOf({ left: side(), right: side() }, DEFAULT_SETTINGS, [])?.counts;
      return (counts?.slower ?? 0) + (counts?.faster ?? 0) > 0;
    });
    assert.ok(wrong.length <= comparisons / 20, `${wrong.length} of ${comparisons}`);
  });

  test("given 5 and 6 values without overlap, tells a change beside endpoints that changed or have too few values", () => {
    const sides = ([before, now]: readonly [number, number], few: readonly [number, number]) => {
      const random = seeded(13);
      const clear = times(7).map(() => before);
      const [left, right] = [clear.map((median) => [median, 9] as const), clear.map(() => [now, 9] as const)];
      const narrow = (median: number, count: number) => [median, count] as const;
      return {
        left: drawnSide(random, [...left, narrow(100, few[0]), ...times(4).map(() => narrow(100, 5))]),
        right: drawnSide(random, [...right, narrow(1_000, few[1]), ...times(4).map(() => narrow(100, 5))]),
      };
    };
    const verdictIn = (pair: ReturnType<typeof sides>) =>
      unwrap(compareRows(pair, DEFAULT_SETTINGS, [], { column: "verdict", descending: true }, ALL)).records.find(
        ({ path }) => path === "/endpoint-h",
      )?.verdict;
    assert.is(verdictIn(sides([100, 1_000], [5, 6])), "slower");
    assert.is(verdictIn(sides([100, 100], [5, 6])), "unknown");
  });

  test("given more endpoints than are tested at once, tests those with the most requests and says so", () => {
    const [endpoints, tested] = [280, 250];
    const side = () =>
      figuresOf(
        recorded(
          times(endpoints).flatMap((position) =>
            times(position < tested ? 6 : 5).map((index) =>
              exchange({ id: position * 10 + index + 1, origin: `https://host-${position}.test`, end: 100 + index }),
            ),
          ),
        ),
      );
    const range = { from: 0, count: endpoints };
    const pair = { left: side(), right: side() };
    const rows = unwrap(compareRows(pair, DEFAULT_SETTINGS, [], { column: "verdict", descending: true }, range));
    const untested = rows.records.filter(
      ({ note }) => note === "Only the 250 endpoints with the most requests are tested.",
    );
    assert.is(untested.length, endpoints - tested);
    assert.ok(untested.every(({ verdict, samples }) => verdict === "unknown" && samples.left === 5));
  });

  test("given a median that did not change and too few requests for the tail, does not say same", () => {
    const random = seeded(9);
    const side = () =>
      figuresOf(
        recorded(
          times(60).map((index) => exchange({ id: index + 1, target: "/a", end: lognormal(random, 100, 0.25) })),
        ),
      );
    const verdicts = times(20).map(() => {
      const pair = { left: side(), right: side() };
      const [row] = unwrap(compareRows(pair, DEFAULT_SETTINGS, [], { column: "p95", descending: true }, ALL)).records;
      return `${row?.verdict}: ${row?.note}`;
    });
    const open = verdicts.filter((one) => /^same-median: tail: can't tell: n = 60, about \d+ needed$/.test(one));
    assert.ok(open.length >= 15, verdicts.join("\n"));
  });

  test("given latencies that are too uncertain, counts them apart from those compared", () => {
    const sideOf = (uncertain: number) =>
      figuresOf(
        recorded(
          [1, 2, 3, 4, 5].map((id) =>
            exchange({ id, target: "/a", start: id, end: id + 90, uncertainty: id <= uncertain ? 20 : 0 }),
          ),
        ),
      );
    const some = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(some, some, (left, right) => {
        const pair = { left: sideOf(left), right: sideOf(right) };
        const rows = unwrap(compareRows(pair, DEFAULT_SETTINGS, [], { column: "p95", descending: true }, ALL));
        assert.equal(
          rows.records.map(({ samples, uncertain }) => [samples, uncertain]),
          [
            [
              { left: 5 - left, right: 5 - right },
              { left, right },
            ],
          ],
        );
      }),
    );
  });

  test("given two distributions, both share one axis", () => {
    const [left, right] = [figuresOf(session(100, "/a")), figuresOf(session(150, "/a"))];
    const rows = unwrap(compareRows({ left, right }, DEFAULT_SETTINGS, [], { column: "p95", descending: true }, ALL));
    const shape = rows.records[0]?.distributions;
    assert.equal([shape?.from, shape?.to], [100, 150]);
    assert.equal([shape?.left[0], shape?.right.at(-1)], [1, 1]);
    for (const side of [shape?.left, shape?.right])
      assert.is(
        side?.reduce((sum, share) => sum + share, 0),
        1,
      );
  });

  test("given an endpoint over HTTP/1.1 and over HTTP/2, lists it in one row with both protocols", () => {
    const over = (protocol: string, stream: number | null, latency: number) =>
      figuresOf(
        recorded(
          [1, 2, 3, 4, 5].map((id) => exchange({ id, target: "/a", start: id, end: id + latency, protocol, stream })),
        ),
      );
    const rows = unwrap(
      compareRows(
        { left: over("http/1.1", null, 90), right: over("h2", 1, 60) },
        DEFAULT_SETTINGS,
        [],
        { column: "p95", descending: true },
        ALL,
      ),
    );
    assert.equal(
      rows.records.map(({ path, change, protocols }) => [path, change.p95, protocols]),
      [["/a", -30, { left: ["http/1.1"], right: ["h2"] }]],
    );
  });
});

/** Five requests to each path, all with this latency. */
function session(latency: number, ...targets: readonly string[]): Session {
  return recorded(
    targets.flatMap((target, index) =>
      [1, 2, 3, 4, 5].map((id) => exchange({ id: index * 5 + id, target, start: id, end: id + latency })),
    ),
  );
}
