import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import type { SlowRecord } from "../../../../src/engine/messages/latency-messages.ts";
import { type Exchange, timedLatencyOf, UNCOUNTED_TAGS } from "../../../../src/engine/model/exchange.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { NO_SLOW_CAUSES } from "../../../../src/engine/session/evaluation/insights.ts";
import { slowRecords, slowRows } from "../../../../src/engine/session/lists/slow-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf, plainPercentile } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange, withTarget } from "../../../support/exchange.ts";
import { interleaved } from "../../../support/interleaved.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

const ALL = { cause: "all", endpoint: null, group: null, range: { from: 0, count: 1_000 } } as const;

const NO_CAUSES = () => NO_SLOW_CAUSES;

/**
 * The definition: above its endpoint's p95 where it has a row, or above the fixed threshold; the lost time is the
 * excess over its p50, or over the threshold if that is lower.
 */
function plainlySlow(exchanges: readonly Exchange[], fixed: number | null): { id: number; lost: number }[] {
  const counted = exchanges.filter(
    ({ outcome, tags }) => outcome !== null && !tags.some((tag) => UNCOUNTED_TAGS.includes(tag)),
  );
  return counted.flatMap((one) => {
    const latency = timedLatencyOf(one);
    const own = counted.filter(({ endpoint }) => endpoint === one.endpoint);
    const samples = own
      .filter(({ outcome }) => outcome?.kind === "responded")
      .flatMap((other) => timedLatencyOf(other) ?? []);
    const [p50, p95] = [0.5, 0.95].map((share) => (own.length >= 5 ? plainPercentile(samples, share) : null));
    if (latency === null) return [];
    const isSlow = [p95, fixed].some((limit) => typeof limit === "number" && latency > limit);
    return isSlow
      ? [{ id: one.id, lost: latency - Math.min(p50 ?? Number.POSITIVE_INFINITY, fixed ?? Number.POSITIVE_INFINITY) }]
      : [];
  });
}

/** Asserts that an evaluator that was updated step by step equals a new one, and equals an evaluation of each row. */
function assertSame(evaluator: InsightEvaluator, fresh: InsightEvaluator, session: Session): void {
  const { table, tallies } = session;
  assert.equal([...evaluator.slowCounts()].slice(1), [...fresh.slowCounts()].slice(1));
  assert.equal([...evaluator.leastOversizedOfAll()].slice(1), [...fresh.leastOversizedOfAll()].slice(1));
  const rows = Array.from({ length: table.nextRow - table.firstRow }, (_, index) => table.firstRow + index);
  assert.is(evaluator.slowTotal, rows.filter((row) => fresh.isSlow(row)).length);
  assert.is(evaluator.slowTotal, slowRows(session, [], ALL, evaluator, NO_CAUSES).records.length);
  for (let endpoint = 1; endpoint <= tallies.last; endpoint += 1) {
    assert.is(evaluator.slowLimit(endpoint), fresh.slowLimit(endpoint));
  }
}

describe("slow list", (test) => {
  const anyThreshold = fc.option(fc.integer({ min: 1, max: 500 }));

  test("given any exchanges, equals the plain definition, most lost time first", () => {
    fc.assert(
      fc.property(anyExchanges(90), anyThreshold, (exchanges, fixedThreshold) => {
        const session = recorded(exchanges);
        const evaluator = new InsightEvaluator(session, { ...DEFAULT_SETTINGS, fixedThreshold });
        const expected = plainlySlow(exchanges, fixedThreshold).sort((a, b) => b.lost - a.lost || a.id - b.id);
        const { records, total, matched } = slowRows(session, [], ALL, evaluator, NO_CAUSES);
        assert.equal(
          records.map(({ id }) => id),
          expected.map(({ id }) => id),
        );
        assert.equal([total, matched], [expected.length, expected.length]);
        assert.is(evaluator.slowTotal, expected.length);
        for (const { id } of exchanges) {
          const row = session.table.rowOf(id) ?? -1;
          assert.is(
            evaluator.isSlow(row),
            expected.some((slow) => slow.id === id),
          );
        }
      }),
      { numRuns: rounds(200) },
    );
  });

  test("given a growing session with evictions, the evaluator equals a new one after each exchange", () => {
    fc.assert(
      fc.property(anyExchanges(60), anyThreshold, fc.integer({ min: 3, max: 60 }), (exchanges, fixedThreshold, cap) => {
        const session = recorded([], cap);
        const settings = { ...DEFAULT_SETTINGS, fixedThreshold };
        const evaluator = new InsightEvaluator(session, settings);
        for (const made of exchanges) {
          session.add(made);
          assertSame(evaluator, new InsightEvaluator(session, settings), session);
        }
      }),
      { numRuns: rounds(40) },
    );
  });

  test("given late ends, a lower row cap and regrouping, the evaluator equals a new one after each event", () => {
    const draws = fc.array(fc.tuple(fc.nat(), fc.constant(false)), { minLength: 20, maxLength: 60 });
    const paths = fc.array(fc.constantFrom("/items/7", "/items/8?page=1", "/users"), { minLength: 90, maxLength: 90 });
    const caps = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(anyExchanges(90), paths, draws, caps, fc.nat(200), (made, targets, drawn, [cap, later], cut) => {
        const exchanges = made.map((one, index) => withTarget(one, targets[index] ?? "/"));
        const session = new Session(cap);
        const settings = { ...DEFAULT_SETTINGS, fixedThreshold: 100 };
        const judges = new Map<object, InsightEvaluator>();
        for (const [index, event] of interleaved(exchanges.map(eventsOf), drawn).entries()) {
          if (index === cut) session.setRowCap(later);
          if (index === cut || index === 2 * cut) session.regroup(index === cut ? new PathTemplates() : null);
          session.apply([event]);
          const { endpoints } = session.table;
          const evaluator = judges.get(endpoints) ?? new InsightEvaluator(session, settings);
          judges.set(endpoints, evaluator);
          assertSame(evaluator, new InsightEvaluator(session, settings), session);
        }
      }),
      { numRuns: rounds(200) },
    );
  });

  test("given more matches than are kept, counts no evicted one, and a range equals that part of the whole list", () => {
    // From 1 to 1,024 ms, equally many in each octave.
    const latencyOf = (id: number, step: number): number => 2 ** ((((id * step) % 8_999) * 10) / 8_999);
    const window = fc.record({ from: fc.nat(30), count: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8_998 }),
        fc.integer({ min: 1, max: 9_000 }),
        window,
        (step, cap, range) => {
          const session = new Session(cap);
          for (let id = 1; id <= 9_000; id += 1) {
            const target = id % 3 === 0 ? "/a" : "/b";
            session.add(exchange({ id, target, start: id, end: id + latencyOf(id, step) }));
          }
          const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
          const ids = (records: readonly SlowRecord[]): number[] => records.map(({ id }) => id);
          const whole = slowRows(session, [], { ...ALL, range: { from: 0, count: 9_000 } }, evaluator, NO_CAUSES);
          const part = slowRows(session, [], { ...ALL, range }, evaluator, NO_CAUSES);
          assert.is(evaluator.slowTotal, whole.records.length);
          assert.equal([part.total, part.matched], [whole.records.length, whole.records.length]);
          assert.equal(ids(part.records), ids(whole.records).slice(range.from, range.from + range.count));
        },
      ),
      { numRuns: rounds(10) },
    );
  });

  test("given many endpoints, a range of the list equals that part of the whole list", () => {
    const window = fc.record({ from: fc.nat(30), count: fc.integer({ min: 1, max: 30 }) });
    const thresholds = fc.constantFrom(null, 1, 6);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8_998 }), thresholds, window, (step, fixedThreshold, range) => {
        const session = new Session(1_500);
        for (let id = 1; id <= 2_000; id += 1) {
          // Many equal latencies: 1 to 8 ms.
          const latency = Math.round(2 ** ((((id * step) % 8_999) * 3) / 8_999));
          session.add(exchange({ id, target: `/${id % 97}`, start: id, end: id + latency }));
        }
        const evaluator = new InsightEvaluator(session, { ...DEFAULT_SETTINGS, fixedThreshold });
        const whole = slowRows(session, [], { ...ALL, range: { from: 0, count: 2_000 } }, evaluator, NO_CAUSES);
        const part = slowRows(session, [], { ...ALL, range }, evaluator, NO_CAUSES);
        assert.equal([part.total, part.matched], [whole.records.length, whole.records.length]);
        assert.equal(part.records, whole.records.slice(range.from, range.from + range.count));
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given a cause or an endpoint, lists only its slow requests", () => {
    const phases = [
      { connectStart: 0, connectEnd: 90, requestStart: 90, responseStart: 95 },
      { requestStart: 0, responseStart: 90 },
      { requestStart: 0, responseStart: 10 },
    ];
    const exchanges = phases.map((instants, index) => exchange({ id: index + 1, end: 100, instants }));
    const late = { requestStart: 80, responseStart: 90 };
    const session = recorded([...exchanges, exchange({ id: 4, end: 100, instants: late, waitedFor: "stream" })]);
    const evaluator = new InsightEvaluator(session, { ...DEFAULT_SETTINGS, fixedThreshold: 50 });
    const ids = (records: readonly SlowRecord[]): number[] => records.map(({ id }) => id);
    assert.equal(ids(slowRows(session, [], { ...ALL, cause: "connection" }, evaluator, NO_CAUSES).records), [1, 4]);
    assert.equal(ids(slowRows(session, [], { ...ALL, cause: "server" }, evaluator, NO_CAUSES).records), [2]);
    assert.equal(ids(slowRows(session, [], { ...ALL, cause: "transfer" }, evaluator, NO_CAUSES).records), [3]);
    const elsewhere = exchange({ target: "/elsewhere" }).endpoint;
    assert.equal(slowRows(session, [], { ...ALL, endpoint: elsewhere }, evaluator, NO_CAUSES).total, 0);
    assert.equal(slowRows(session, [], { ...ALL, endpoint: exchange().endpoint }, evaluator, NO_CAUSES).total, 4);
  });

  test("given evictions or a changed limit during the export, leaves out the rows concerned", () => {
    const of = (id: number, latency: number): Exchange =>
      exchange({ id, end: latency, instants: { requestStart: 0, responseStart: latency } });
    const session = recorded([90, 80, 70, 60].map((latency, index) => of(index + 1, latency)));
    const above = (fixedThreshold: number | null) =>
      slowRecords(session, [], new InsightEvaluator(session, { ...DEFAULT_SETTINGS, fixedThreshold }))[
        Symbol.iterator
      ]();
    const written = above(50);
    assert.is(written.next().value?.id, 1);
    session.setRowCap(2);
    assert.is(written.next().value?.id, 3);

    session.setRowCap(100);
    session.add(of(5, 100));
    assert.is(above(null).next().value?.id, 5);
    const slowest = above(null);
    for (let id = 6; id < 40; id += 1) session.add(of(id, 200));
    assert.is(slowest.next().done, true);
  });
});
