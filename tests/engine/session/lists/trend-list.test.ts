import * as assert from "uvu/assert";
import { BASELINE_SESSIONS, METRICS, MINIMUM_SESSIONS } from "../../../../src/engine/insights/trends.ts";
import type { TrendColumn } from "../../../../src/engine/messages/trend-messages.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { figuresOf } from "../../../../src/engine/session/lists/figures.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import {
  baselineOf,
  latencyRecordOf,
  trendRows,
  trendsFound,
} from "../../../../src/engine/session/lists/trend-list.ts";
import { QueryRunner } from "../../../../src/engine/session/queries/query-runner.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { contextOf, NO_HISTORY, recorded } from "../../../support/recorded.ts";

const ALL = { from: 0, count: 100 };

describe("trend list", (test) => {
  test("given an endpoint with two earlier sessions, omits its trend; given three, has it", () => {
    const now = session(200);
    for (const count of [0, 1, 2, 3, 4]) {
      const rows = latencyTrends(now, pastSessions(new Array(count).fill(100)));
      assert.is(rows.length, count < MINIMUM_SESSIONS ? 0 : 1, `${count} sessions`);
    }
  });

  test("given fewer than 3 sessions, the record says how many there are, and from 3 on the trend", () => {
    const now = session(200);
    const [stats] = figuresOf(now).endpoints;
    if (stats === undefined) throw new Error("no row");
    const trendOf = (count: number) =>
      latencyRecordOf(now, stats, new Baseline(pastSessions(new Array(count).fill(100))), DEFAULT_SETTINGS).trend;
    assert.equal(trendOf(2), { kind: "omitted", sessions: 2 });
    assert.equal(trendOf(3), {
      kind: "known",
      of: "p95",
      direction: "up",
      baseline: 100,
      change: 100,
      changePercent: 100,
      note: null,
      sessions: 3,
    });
  });

  test("given more than 10 earlier sessions, the baseline is exactly the latest 10", () => {
    const latencies = Array.from({ length: BASELINE_SESSIONS + 3 }, (_, index) => (index < 3 ? 100_000 : 100 + index));
    const past = pastSessions(latencies).slice(-BASELINE_SESSIONS);
    const [row] = latencyTrends(session(1_000), past);
    assert.equal(row?.series, latencies.slice(3));
    assert.is(row?.sessions, 10);
    assert.is(row?.baseline, 107.5);
  });

  test("given earlier sessions, a row has direction, change, series and the stable band", () => {
    const [row] = latencyTrends(session(50), pastSessions([100, 120, 90]));
    const change = { direction: "down", baseline: 100, current: 50, change: -50, changePercent: -50, note: null };
    assert.equal(row, {
      key: "latency GET https://api.test/a",
      endpoint: "GET https://api.test/a",
      method: "GET",
      origin: "https://api.test",
      path: "/a",
      operation: null,
      metric: "latency",
      ...change,
      n: 5,
      percentiles: { p50: change, p95: change },
      sessions: 3,
      series: [100, 120, 90],
      uncertain: 0,
      band: { low: 90, high: 110 },
    });
  });

  test("given latencies that are too uncertain, counts them apart", () => {
    for (const uncertain of [0, 1, 4]) {
      const now = recorded(
        [1, 2, 3, 4, 5].map((id) =>
          exchange({ id, target: "/a", start: id, end: id + 90, uncertainty: id <= uncertain ? 20 : 0 }),
        ),
      );
      const [row] = latencyTrends(now, pastSessions([100, 120, 90]));
      assert.equal([row?.n, row?.uncertain], [5 - uncertain, uncertain]);
    }
  });

  test("given a wider stable band in the settings, the trend is stable", () => {
    const past = pastSessions([100, 100, 100]);
    const settings = { ...DEFAULT_SETTINGS, stableLatencyPercent: 200 };
    const query = {
      metric: "latency",
      direction: "stable",
      sort: { column: "change", descending: true },
      range: ALL,
    } as const;
    const rows = trendRows(session(250), new Baseline(past), settings, [], query);
    assert.is(unwrap(rows).records.length, 1);
    assert.is(latencyTrends(session(250), past)[0]?.direction, "up");
  });

  test("given an endpoint, returns a trend for each metric", () => {
    const now = session(200);
    const all = trendsFound(now, new Baseline(pastSessions([100, 100, 100])), DEFAULT_SETTINGS, []);
    assert.equal(
      unwrap(all).map(({ metric, direction }) => [metric, direction]),
      [
        ["latency", "up"],
        ["errorRate", "stable"],
        ["payload", "stable"],
      ],
    );
  });

  test("given any column and direction, sorts rows by it, and a range is of that order", () => {
    //              /a           /b           /c
    // baseline     100, of 5    300, of 4    120, of 3
    // now          200, +100 %  330, +10 %   90, -25 %
    const whole = { "/a": 100, "/b": 300, "/c": 120 };
    const past = [whole, whole, whole, { "/a": 100, "/b": 300 }, { "/a": 100 }];
    const baseline = new Baseline(past.map((latencies, index) => pastOf(sessionOf(latencies), index)));
    const now = sessionOf({ "/a": 200, "/b": 330, "/c": 90 });
    const pathsBy = (column: TrendColumn, descending: boolean, range = ALL): string => {
      const query = { metric: "latency", direction: "all", sort: { column, descending }, range } as const;
      const rows = trendRows(now, baseline, DEFAULT_SETTINGS, [], query);
      return unwrap(rows)
        .records.map(({ path }) => path)
        .join(" ");
    };
    const ascending: Partial<Record<TrendColumn, string>> = {
      endpoint: "/a /b /c",
      baseline: "/a /c /b",
      current: "/c /a /b",
      change: "/c /b /a",
      sessions: "/c /b /a",
    };
    for (const [column, order] of Object.entries(ascending) as [TrendColumn, string][]) {
      assert.is(pathsBy(column, false), order, column);
      assert.is(pathsBy(column, true), order.split(" ").reverse().join(" "), column);
      assert.is(pathsBy(column, false, { from: 1, count: 1 }), order.split(" ")[1], column);
    }
  });

  test("given all metrics, sorts by metric in the order of the view", () => {
    const sort = { column: "metric", descending: true } as const;
    const query = { metric: "all", direction: "all", sort, range: ALL } as const;
    const rows = trendRows(session(200), new Baseline(pastSessions([1, 2, 3])), DEFAULT_SETTINGS, [], query);
    assert.equal(
      unwrap(rows).records.map(({ metric }) => metric),
      METRICS.toReversed(),
    );
  });

  test("given baseline sessions, compares the summary's p95 with the median of theirs", () => {
    const summaryAgainst = (past: ReturnType<typeof pastSessions>, settings = DEFAULT_SETTINGS) => {
      const history = { ...NO_HISTORY, baseline: new Baseline(past) };
      const context = contextOf(session(200), { history, settings });
      const answer = new QueryRunner({ view: "summary" }).answer(context);
      if (answer.kind !== "value" || answer.value === null || !("p95Direction" in answer.value)) return null;
      return [answer.value.baselineP95, answer.value.p95Direction];
    };
    assert.equal(summaryAgainst(pastSessions([100, 120])), [null, null]);
    assert.equal(summaryAgainst(pastSessions([100, 120, 150])), [120, "up"]);
    assert.equal(summaryAgainst(pastSessions([100, 120, 500])), [120, "stable"]);
    assert.equal(summaryAgainst(pastSessions([300, 320, 500])), [320, "down"]);
    assert.equal(summaryAgainst(pastSessions([190, 195, 500])), [195, "stable"]);
    const wide = { ...DEFAULT_SETTINGS, stableLatencyPercent: 80 };
    assert.equal(summaryAgainst(pastSessions([100, 120, 500]), wide), [120, "stable"]);
    const narrow = { ...DEFAULT_SETTINGS, stableLatencyPercent: 0, stableLatencyMs: 1 };
    assert.equal(summaryAgainst(pastSessions([190, 195, 197]), narrow), [195, "up"]);
  });

  test("given fewer than 3 sessions, says how many are needed, and later the overall change", () => {
    const said = baselineOf(session(200), new Baseline(pastSessions([100, 120])), DEFAULT_SETTINGS);
    assert.equal([said.sessions.map(({ id }) => id), said.needed, said.omitted], [["s0", "s1"], 3, 1]);
    const { omitted, overall } = baselineOf(session(200), new Baseline(pastSessions([1, 2, 3])), DEFAULT_SETTINGS);
    assert.is(omitted, 0);
    const most = { endpoint: "GET https://api.test/a", change: 5 * 198 };
    assert.equal(overall, { before: 5 * 2, change: 5 * 198, most, requests: 5, changed: 1, untold: 0, endpoints: 1 });
  });
});

/** Five requests that all have this latency. */
function session(latency: number): Session {
  return sessionOf({ "/a": latency });
}

/** Five requests to each path, all with its latency. */
function sessionOf(latencies: Readonly<Record<string, number>>): Session {
  const made = Object.entries(latencies).flatMap(([target, latency]) => new Array(5).fill({ target, latency }));
  return recorded(
    made.map(({ target, latency }, index) => exchange({ id: index + 1, target, start: index, end: index + latency })),
  );
}

function pastSessions(latencies: readonly number[]) {
  return latencies.map((latency, index) => pastOf(session(latency), index));
}

function pastOf(past: Session, index: number) {
  return { id: `s${index}`, name: "", title: "", startedAt: instant(index), figures: figuresOf(past) };
}

function latencyTrends(now: Session, past: ReturnType<typeof pastSessions>) {
  const query = {
    metric: "latency",
    direction: "all",
    sort: { column: "change", descending: true },
    range: ALL,
  } as const;
  return unwrap(trendRows(now, new Baseline(past), DEFAULT_SETTINGS, [], query)).records;
}
