import * as assert from "uvu/assert";
import type { Baseline, TrendRecord } from "../../../../../src/engine/messages/trend-messages.ts";
import { endpointOf } from "../../../../../src/engine/model/endpoint.ts";
import type { Change } from "../../../../../src/engine/model/trend.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import {
  comparedNames,
  comparedText,
  recordedText,
  trendHeadsOf,
  trendLineOf,
  trendRowOf,
} from "../../../../../src/ui/views/performance/trends/trend-rows.ts";
import { describe } from "../../../../support/describe.ts";

const P50: Change = {
  direction: "stable",
  baseline: 400,
  current: 410,
  change: 10,
  changePercent: 2.5,
  note: null,
};

const P95: Change = {
  direction: "up",
  baseline: 1_232,
  current: 1_614,
  change: 382,
  changePercent: 31,
  note: null,
};

const CHECKOUT: TrendRecord = {
  key: "latency POST https://api.shop.test/v1/checkout",
  endpoint: endpointOf("POST", "https://api.shop.test", "/v1/checkout"),
  method: "POST",
  origin: "https://api.shop.test",
  path: "/v1/checkout",
  operation: null,
  metric: "latency",
  ...P95,
  percentiles: { p50: P50, p95: P95 },
  n: 240,
  sessions: 3,
  series: [1_200, 1_232, 1_300],
  uncertain: 0,
  band: { low: 1_108.8, high: 1_355.2 },
};

const baseline = (count: number, omitted = 0): Baseline => ({
  sessions: Array.from({ length: count }, (_, at) => ({
    id: String(at),
    name: "",
    title: "",
    startedAt: at as Instant,
  })),
  needed: 3,
  p95: null,
  omitted,
  overall: null,
});

describe("trend rows", (test) => {
  test("given a trend, shows the current value, the baseline, and the change as mark, size and word", () => {
    const row = trendRowOf(CHECKOUT);
    assert.equal(
      [row.current, row.baseline, row.kind, row.size, row.word, row.change, row.sessions],
      ["1,614", "1,232", "is-rising", "31 %", "slower", "+382 ms", "3"],
    );
    assert.is(row.course, "3 sessions: 1,200 ms, 1,232 ms, 1,300 ms; now 1,614 ms");
  });

  test("given latencies, shows p50 with a mark and size of its own, but not for other metrics", () => {
    const risen = { ...P50, direction: "up", current: 500, change: 100, changePercent: 25 } as const;
    const row = trendRowOf({ ...CHECKOUT, percentiles: { p50: risen, p95: P95 } });
    assert.equal(
      [row.middle, row.middleKind, row.middleSize, row.middleTitle],
      ["500", "is-rising", "25 %", "p50 +100 ms against 400 ms: slower"],
    );
    assert.is(trendRowOf({ ...CHECKOUT, metric: "payload", percentiles: null }).middle, "");
  });

  test("given a change of p50 alone, shows that one, and given uncertain data, says how many are needed", () => {
    const risen = { ...P50, direction: "up", current: 500, change: 100, changePercent: 25 } as const;
    const still = { ...P95, direction: "stable", change: 3, changePercent: 0.2 } as const;
    const note = "by p50: 400 → 500 ms";
    const byMiddle = trendRowOf({
      ...CHECKOUT,
      ...still,
      direction: "up",
      note,
      percentiles: { p50: risen, p95: still },
    });
    assert.equal([byMiddle.size, byMiddle.word, byMiddle.change], ["25 %", "slower", ""]);
    assert.ok(byMiddle.title.endsWith(`; ${note}`));
    const open = { ...still, note: "can't tell: n = 7, about 60 needed" };
    const row = trendRowOf({ ...CHECKOUT, ...open, n: 7, percentiles: { p50: open, p95: open } });
    assert.equal([row.kind, row.word, row.change], ["is-stable", "can't tell", ""]);
    assert.is(row.title, "+3.0 ms against 1,232 ms, n = 7; can't tell: n = 7, about 60 needed");
    const { title } = trendRowOf({ ...CHECKOUT, uncertain: 13 });
    assert.is(title, "+382 ms against 1,232 ms, n = 240; 13 left out: their times are uncertain");
  });

  test("given a metric, its name is in the header of the current value", () => {
    const sort = { column: "change", descending: true } as const;
    assert.equal(
      (["latency", "errorRate", "payload"] as const).map((metric) =>
        trendHeadsOf(sort, metric).map(({ label }) => label),
      ),
      ["p95 now", "Error rate now", "Avg Size now"].map((now, index) => [
        ...["Endpoint", ...(index === 0 ? ["p50 now"] : []), now, "Baseline", "Change", "Baseline and now", "Compared"],
      ]),
    );
  });

  test("given fewer than three sessions, says how many there are instead of comparing", () => {
    assert.equal(
      [0, 2, 3].map((count) => recordedText(baseline(count))),
      ["0 of 3 completed sessions recorded", "2 of 3 completed sessions recorded", ""],
    );
    assert.is(comparedText(baseline(2, 16)), "", "nothing is compared");
    assert.is(
      comparedText(baseline(3, 1)),
      "Compared with the median of 3 completed sessions; 1 endpoint has too few sessions",
    );
  });

  test("given baseline sessions, names them by their labels, or else by their starts", () => {
    const [one] = baseline(1).sessions;
    if (one === undefined) throw new Error("there is no session");
    const sessions = [
      { ...one, name: "Before the cache" },
      { ...one, name: "" },
    ];
    assert.match(comparedNames({ ...baseline(3), sessions }), /^Before the cache, Session of \d/);
  });

  test("given a trend, draws its band, baseline and current value within one box", () => {
    const { band, baseline: level, line, end } = trendLineOf(CHECKOUT);
    const heights = (path: string) => [...path.matchAll(/[ V](\d+(?:\.\d+)?)/g)].map(([, y]) => Number(y));
    for (const path of [band, level, line, end]) for (const y of heights(path)) assert.ok(y >= 4 && y <= 24, path);
    assert.is(line.split("L").length, 4, "three sessions and now");
    assert.ok((heights(end)[0] ?? 0) < (heights(level)[0] ?? 0), "slower stands higher");
  });

  test("given equal values, draws a valid line", () => {
    const flat = { ...CHECKOUT, series: [5, 5, 5], current: 5, baseline: 5, band: { low: 5, high: 5 } };
    assert.not.match(trendLineOf(flat).line, "NaN");
  });
});
