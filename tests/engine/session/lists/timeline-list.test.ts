import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { TimeRange } from "../../../../src/engine/messages/timeline-messages.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import type { Insights } from "../../../../src/engine/session/evaluation/insights.ts";
import { densityOf } from "../../../../src/engine/session/lists/density.ts";
import { timelineRows } from "../../../../src/engine/session/lists/timeline-list.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { NO_INSIGHTS, recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";
import { nearly } from "../../../support/starts.ts";
import { COLUMN, timeline } from "../../../support/timeline.ts";

const ALL = { from: 0, count: 500 };

describe("timeline list", (test) => {
  test("given a head that arrived late, orders rows by start time", () => {
    const session = recorded([
      exchange({ id: 1, start: 50 }),
      exchange({ id: 2, start: 10 }),
      exchange({ id: 3, start: 30 }),
    ]);
    assert.equal(idsOf(session, null), [2, 3, 1]);
  });

  test("given a time range, lists exchanges that ran in it, those in flight included", () => {
    const session = recorded(
      timeline(`
        a ----
        b   --
        c       ---
        d          ---
      `),
    );
    assert.equal(idsOf(session, range(3 * COLUMN, 5 * COLUMN)), [1, 2]);
    assert.equal(idsOf(session, range(4.5 * COLUMN, 5.5 * COLUMN)), []);
    assert.equal(idsOf(session, range(0, 100 * COLUMN)), [1, 2, 3, 4]);
    assert.equal(idsOf(recorded([exchange({ start: 10, end: null })]), range(5_000, 6_000)), [1]);
  });

  test("given a reused connection, the row has no connection phases and is marked as reused", () => {
    const [record] = recordsOf(recorded([exchange({ end: 20, reused: true })]), null);
    assert.equal(
      record?.spans.map(({ phase }) => phase),
      ["ttfb", "transfer"],
    );
    assert.is(record?.reused, true);
  });

  test("given connections, streams and a wait, the row states them", () => {
    const carried = { connection: 3, stream: 7, clientConnection: 2, clientStream: 5 };
    const made = exchange({ start: 5, end: 90, ...carried, waitedFor: "connection", instants: { requestStart: 45 } });
    const [record] = recordsOf(recorded([made]), null);
    const { connection, stream, clientConnection, clientStream, wait } = record ?? {};
    assert.equal({ connection, stream, clientConnection, clientStream }, carried);
    assert.equal(wait, { waitedFor: "connection", from: 0, to: 40 });
    assert.is(recordsOf(recorded([exchange({ end: 20 })]), null)[0]?.wait, null);
  });

  test("given a request that names an operation, its row has the operation", () => {
    const named = exchange({ id: 1, method: "POST", target: "/graphql?v=2", operation: "GetUser", end: 20 });
    const records = recordsOf(recorded([named, exchange({ id: 2, start: 30 })]), null);
    assert.equal(
      records.map(({ operation }) => operation),
      ["GetUser", null],
    );
  });

  test("given a parallel group and a chain, the row states both and the exchange before", () => {
    const session = recorded([exchange({ id: 1, end: 10 }), exchange({ id: 2, start: 12, end: 20 })]);
    const evidence = { source: "order", name: null, value: "1 of 1" };
    const link = { from: id(1), to: id(2), gap: 2, kind: "sequential", basis: "order", evidence } as const;
    const insights: Insights = {
      ...NO_INSIGHTS,
      chains: () => ({
        ...NO_INSIGHTS.chains(),
        positionOf: (one) => ({ walk: 0, link: one === id(2) ? link : null }),
      }),
      groups: () => ({ groups: [], groupOf: (one) => (one === id(2) ? id(1) : null) }),
    };
    const records = recordsOf(session, null, insights);
    assert.equal(
      records.map(({ group, chain, follows }) => ({ group, chain, follows })),
      [
        { group: null, chain: 0, follows: null },
        { group: 1, chain: 0, follows: { from: 1, kind: "sequential", gap: 2 } },
      ],
    );
  });

  test("given any exchanges, rows in a range and density equal their plain definitions", () => {
    const bounds = fc.tuple(fc.nat(40_000), fc.nat(40_000)).map(([a, b]) => range(Math.min(a, b), Math.max(a, b)));
    const shuffled = fc.boolean();
    fc.assert(
      fc.property(
        anyExchanges(40),
        bounds,
        fc.integer({ min: 1, max: 9 }),
        shuffled,
        (exchanges, between, count, mix) => {
          const session = recorded(mix ? exchanges.toReversed() : exchanges);
          const held = exchanges.filter(
            ({ instants, endTime }) =>
              instants.startTime <= between.to && (endTime ?? Number.POSITIVE_INFINITY) >= between.from,
          );
          const byStart = held.toSorted((a, b) => a.instants.startTime - b.instants.startTime);
          assert.equal(
            recordsOf(session, between).map(({ startTime }) => startTime),
            byStart.map(({ instants }) => instants.startTime),
          );
          const density = densityOf(session, rowsOf(session), between, count);
          const length = (between.to - between.from) / count;
          const plain = Array.from({ length: count }, (_, slice) => {
            const from = between.from + slice * length;
            const isLast = slice === count - 1;
            const inSlice = exchanges.filter(({ instants: { startTime } }) => {
              return (
                startTime >= from &&
                (isLast ? startTime <= between.to : startTime < between.from + (slice + 1) * length)
              );
            });
            return inSlice.length;
          });
          assert.equal(
            density.slices.map(({ requests }) => requests),
            plain,
          );
        },
      ),
    );
  });

  test("given a long session nearly in order, equals the same session in order", () => {
    const bounds = fc.tuple(fc.nat(1_500), fc.nat(1_500)).map(([a, b]) => range(Math.min(a, b), Math.max(a, b)));
    fc.assert(
      fc.property(nearly(3, 1_500), bounds, fc.integer({ min: 1, max: 4 }), (starts, between, count) => {
        const made = starts.map((start, index) => exchange({ id: index + 1, start, end: start + 2 }));
        const [session, inOrder] = [made, made.toSorted((a, b) => a.instants.startTime - b.instants.startTime)].map(
          (exchanges) => recorded(exchanges),
        ) as [Session, Session];
        const [found, plain] = [session, inOrder].map((one) => densityOf(one, rowsOf(one), between, count));
        assert.equal(found, plain);
        assert.equal(
          recordsOf(session, between).map(({ startTime }) => startTime),
          recordsOf(inOrder, between).map(({ startTime }) => startTime),
        );
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given matching rows, their bounds are the first start and the last end, or the session's end in flight", () => {
    const wanted = fc.uniqueArray(fc.nat(40), { minLength: 1 });
    fc.assert(
      fc.property(fc.tuple(anyExchanges(), wanted, fc.boolean()), ([exchanges, chosen, mix]) => {
        const session = recorded(mix ? exchanges.toReversed() : exchanges);
        const rows = rowsOf(session).filter((_, index) => chosen.includes(index));
        const made = Array.from(rows, (row) => session.table.exchangeAt(row));
        const last = Math.max(0, ...exchanges.map(({ instants, endTime }) => endTime ?? instants.startTime));
        const bounds = {
          from: Math.min(...made.map(({ instants }) => instants.startTime)),
          to: Math.max(...made.map(({ endTime }) => endTime ?? last)),
        };
        assert.equal(densityOf(session, rows, null, 3).matching, made.length === 0 ? null : bounds);
      }),
    );
  });

  test("given a session, the density covers its whole time and counts errors", () => {
    const session = recorded([
      exchange({ id: 1, start: 100, end: 120 }),
      exchange({ id: 2, start: 150, end: 500, status: 503 }),
    ]);
    const density = densityOf(session, rowsOf(session), null, 4);
    assert.equal([density.start, density.end, density.matched], [100, 500, 2]);
    assert.equal(density.slices[0], { requests: 2, errors: 1 });
    assert.equal(densityOf(recorded([]), new Uint32Array(0), null, 2), {
      start: null,
      end: null,
      sliceLength: 0,
      slices: [
        { requests: 0, errors: 0 },
        { requests: 0, errors: 0 },
      ],
      matched: 0,
      whole: null,
      matching: null,
      ended: false,
    });
  });
});

function range(from: number, to: number): TimeRange {
  return { from: instant(from), to: instant(to) };
}

function id(number: number): ExchangeId {
  return number as ExchangeId;
}

function rowsOf(session: Session): Uint32Array {
  return new TrafficList(session, []).rows(new InsightEvaluator(session, DEFAULT_SETTINGS));
}

function recordsOf(session: Session, between: TimeRange | null, insights = NO_INSIGHTS) {
  const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
  return timelineRows(session, rowsOf(session), between, ALL, evaluator, insights).records;
}

function idsOf(session: Session, between: TimeRange | null): readonly number[] {
  return recordsOf(session, between).map((record) => record.id);
}
