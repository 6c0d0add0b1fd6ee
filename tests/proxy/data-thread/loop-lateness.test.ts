import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { INTERVAL, LoopLateness } from "../../../extensions/proxy/data-thread/loop-lateness.ts";
import { type Instants, startedAt } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";

describe("lateness of the event loop", (test) => {
  test("given a loop on time, no exchange is uncertain", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      for (let now = INTERVAL; now <= 40; now += INTERVAL) loop.tickAt(now);
      assert.is(loop.end(1, 41), 0);
    });
  });

  test("given a stall, what was read in it or right after is uncertain by up to its length, from 5 ms on", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 400 }), fc.integer({ min: 0, max: 100 }), (stall, before) => {
        withLoop((loop) => {
          loop.start(1, 0);
          for (let ticks = 1; ticks <= before; ticks += 1) loop.tickAt(ticks * INTERVAL);
          const late = before * INTERVAL + stall;
          loop.tickAt(late);
          const wanted = stall - INTERVAL < 5 ? 0 : stall;
          assert.is(loop.end(1, late + 1, { responseStart: (late + 0.5) as Instant }), wanted);
        });
      }),
    );
  });

  test("given a stall while an exchange waited, with none of its times in it, it is certain", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      loop.tickAt(5);
      loop.tickAt(10);
      loop.tickAt(70);
      for (let now = 75; now <= 100; now += INTERVAL) loop.tickAt(now);
      assert.is(loop.end(1, 101), 0);
    });
  });

  test("given a stall that no tick has noticed yet, what ends in it is uncertain by up to the time since the last one", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      loop.tickAt(5);
      assert.is(loop.end(1, 45.5), 41);
    });
  });

  test("given no exchange in flight, the loop is not measured, and idle time is no lateness", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      assert.is(loop.end(1, 1), 0);
      loop.start(2, 5_000);
      assert.is(loop.end(2, 5_001), 0);
    });
  });

  test("given more late moments than are kept, the latest count", () => {
    withLoop((loop) => {
      loop.start(1, 0);
      for (let round = 1; round <= 200; round += 1) loop.tickAt(round * 15);
      assert.is(loop.end(1, 3_001), 15);
    });
  });
});

/** An event loop with a clock that the test sets. */
function withLoop(
  body: (loop: {
    start(id: number, at: number): void;
    tickAt(at: number): void;
    end(id: number, at: number, instants?: Partial<Instants>): number;
  }) => void,
): void {
  let now = 0;
  const starts = new Map<number, Instant>();
  const lateness = new LoopLateness(() => now as Instant);
  try {
    body({
      start: (id, at) => {
        now = at;
        starts.set(id, at as Instant);
        lateness.exchangeStarted(id as ExchangeId, []);
      },
      tickAt: (at) => {
        now = at;
        lateness.tick();
      },
      end: (id, at, instants = {}) => {
        now = at;
        const started = startedAt(starts.get(id) ?? (0 as Instant), null);
        return lateness.exchangeEnded({
          id: id as ExchangeId,
          at: at as Instant,
          instants: { ...started, ...instants },
        });
      },
    });
  } finally {
    lateness.stop();
  }
}
