import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DependencyChains } from "../../../src/engine/insights/dependency-chains.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { ChainFinder } from "../../../src/engine/session/chain-finder.ts";
import { chainsOf, groupRows, repeatRows } from "../../../src/engine/session/finding-records.ts";
import { overlapsOf } from "../../../src/engine/session/overlap-sweep.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { type ExchangeSketch, exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";
import { resultOf } from "../../support/slices.ts";
import { timeline } from "../../support/timeline.ts";

const FOREVER = Number.POSITIVE_INFINITY as Instant;

describe("chain finder", (test) => {
  test("however the session is fed to it, it finds what all exchanges at once give", () => {
    fc.assert(
      fc.property(anyExchanges(40), fc.integer({ min: 1, max: 7 }), fc.nat(40), (exchanges, count, cut) => {
        const plain = new DependencyChains(300);
        for (const one of exchanges) plain.record(one);
        const session = new Session();
        const finder = new ChainFinder(session, 300);
        for (const [index, one] of exchanges.entries()) {
          session.apply(eventsOf(one));
          if (index === cut) feed(finder, count);
        }
        feed(finder, count);
        resultOf(finder.settle(FOREVER));
        assert.equal(finder.found.chains, resultOf(plain.list(FOREVER)));
        assert.is(finder.found.progress, 1);
      }),
    );
  });

  test("what is in flight is looked at again when it has ended", () => {
    const [a, b] = [exchange({ id: 1, end: 10 }), exchange({ id: 2, start: 20, end: 30 })];
    const session = new Session();
    const finder = new ChainFinder(session, 300);
    session.apply(eventsOf(a));
    const [started, ...rest] = eventsOf(b);
    if (started !== undefined) session.apply([started]);
    feed(finder, 5);
    resultOf(finder.settle(FOREVER));
    assert.equal(finder.found.chains, []);
    session.apply(rest);
    feed(finder, 5);
    resultOf(finder.settle(FOREVER));
    assert.is(finder.found.chains[0]?.steps.length, 2);
    assert.equal(finder.found.placeOf(b.id), { chain: 0, edge: finder.found.chains[0]?.edges[0] });
    assert.equal(finder.found.placeOf(a.id), { chain: 0, edge: null });
  });

  test("a long list is made in slices, and until it is made the last one stands", () => {
    const count = 120_000;
    const session = new Session();
    const made = exchange({ id: 1, end: 1 });
    for (let id = 1; id <= count; id += 1) {
      const at = (id * 10) as Instant;
      const end = (at + 1) as Instant;
      const instants = { ...made.instants, startTime: at, responseEnd: end };
      session.add({ ...made, id: id as typeof made.id, instants, endTime: end });
    }
    const finder = new ChainFinder(session, 300);
    feed(finder, 1_000);
    const slices = finder.settle(FOREVER);
    let steps = 0;
    for (; slices.next().done !== true; steps += 1) assert.equal(finder.found.chains, []);
    assert.ok(steps > 5, `${steps} slices`);
    assert.is(finder.found.chains[0]?.steps.length, count);
    assert.is(finder.found.placeOf(count as typeof made.id)?.edge?.gap, 9);
  });

  test("it tells how much of the session its list was made from", () => {
    const finder = new ChainFinder(recorded([1, 2, 3, 4].map((id) => exchange({ id, start: id }))), 300);
    for (const some of finder.batches(1)) {
      for (const one of some) finder.record(one);
      if (some.length > 0) break;
    }
    assert.is(finder.found.progress, 0);
    resultOf(finder.settle(FOREVER));
    assert.is(finder.found.progress, 0.25);
  });

  test("a session without exchanges has no chains; what comes then is unknown until the first list, and no more after it", () => {
    const session = new Session();
    const finder = new ChainFinder(session, 300);
    assert.is(finder.found.progress, 1);
    feed(finder, 5);
    resultOf(finder.settle(FOREVER));
    session.apply(eventsOf(exchange({ id: 1, end: 10 })));
    assert.is(finder.found.progress, 0);
    feed(finder, 5);
    assert.is(finder.found.progress, 0);
    resultOf(finder.settle(FOREVER));
    assert.is(finder.found.progress, 1);
    session.apply(eventsOf(exchange({ id: 2, start: 20, end: 30 })));
    assert.is(finder.found.progress, 1);
  });

  test("a chain is listed with total duration, a breakdown, gaps, and what could be saved", () => {
    const session = recorded(
      timeline(`
        a --
        b    ---
      `),
    );
    const finder = new ChainFinder(session, 300);
    feed(finder, 5);
    resultOf(finder.settle(FOREVER));
    const [chain] = chainsOf(session, finder.found).chains;
    assert.equal([chain?.duration, chain?.length, chain?.gaps, chain?.proven, chain?.couldSave], [60, 2, 10, 0, 30]);
    assert.equal(
      chain?.steps.map(({ id, start, end }) => [id, start, end]),
      [
        [1, 0, 20],
        [2, 30, 60],
      ],
    );
  });

  test("a chain whose exchanges have left the list is shown no more", () => {
    const whole = recorded([exchange({ id: 1, end: 10 }), exchange({ id: 2, start: 20, end: 30 })]);
    const finder = new ChainFinder(whole, 300);
    feed(finder, 5);
    resultOf(finder.settle(FOREVER));
    assert.is(chainsOf(whole, finder.found).chains.length, 1);
    assert.is(chainsOf(recorded([exchange({ id: 3 })]), finder.found).chains.length, 0);
  });
});

describe("overlaps", (test) => {
  test("requests that overlap in time form parallel groups; each exchange knows its group", () => {
    const session = recorded(
      timeline(`
        a ----
        b   ----
        c           --
        d              --
        e              -
      `),
    );
    const overlaps = found(session);
    assert.equal(
      overlaps.groups.map(({ exchanges }) => exchanges),
      [
        [1, 2],
        [4, 5],
      ],
    );
    assert.equal(
      [1, 2, 3, 4, 5].map((id) => overlaps.groupOf(id as never)),
      [1, 1, null, 4, 4],
    );
    const rows = groupRows(session, overlaps, { column: "duration", descending: true }, { from: 0, count: 1 });
    assert.equal([rows.total, rows.records[0]?.key, rows.records[0]?.atOnce], [2, "group 1", 2]);
  });

  test("those of a group of which one begins as another ends do not run at once", () => {
    const session = recorded([
      exchange({ id: 1, start: 0, end: 100 }),
      exchange({ id: 2, start: 10, end: 50 }),
      exchange({ id: 3, start: 50, end: 90 }),
    ]);
    const sort = { column: "start", descending: false } as const;
    assert.is(groupRows(session, found(session), sort, { from: 0, count: 1 }).records[0]?.atOnce, 2);
  });

  test("rows that came out of order are swept in order", () => {
    const session = recorded([exchange({ id: 1, start: 50, end: 60 }), exchange({ id: 2, start: 0, end: 55 })]);
    assert.equal(found(session).groups[0]?.exchanges, [2, 1]);
  });

  test("repeats are told with their span and their bytes", () => {
    const session = recorded(
      [0, 100].map((start, index) => exchange({ id: index + 1, start, end: start + 5, encodedBodySize: 700 })),
    );
    const { records } = repeatRows(session, found(session), { from: 0, count: 5 });
    assert.equal(records, [
      {
        key: "duplicate 1",
        kind: "duplicate",
        client: "127.0.0.1 test/1.0",
        template: "GET https://api.test/",
        exchanges: 2,
        ids: [1, 2],
        start: 0,
        end: 105,
        bytes: 1_400,
        failed: 0,
        streams: false,
      },
    ]);
  });

  test("of repeats it is told how many failed, and whether they are streams", () => {
    const told = (change: ExchangeSketch) => {
      const session = recorded(
        [1, 2].map((id) => exchange({ id, start: id, end: id + 1, ...(id === 1 ? change : {}) })),
      );
      const [record] = repeatRows(session, found(session), { from: 0, count: 5 }).records;
      return [record?.failed, record?.streams];
    };
    assert.equal(told({ status: 503 }), [1, false]);
    assert.equal(told({ tags: ["event-stream"] }), [0, true]);
  });
});

function feed(finder: ChainFinder, count: number): void {
  for (const some of finder.batches(count)) for (const one of some) finder.record(one);
}

function found(session: Session) {
  const steps = overlapsOf(session, () => null);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
