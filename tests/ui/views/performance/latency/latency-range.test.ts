import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  decadesOf,
  latencyAxisOf,
  latencyRangeOf,
  positionOn,
  SPREAD_WIDTH,
} from "../../../../../src/ui/views/performance/latency/latency-range.ts";
import { describe } from "../../../../support/describe.ts";

const row = (p50: number, p95 = p50, p99 = p95) => ({ p50, p95, p99 });
const latency = fc.double({ min: 0, max: 600_000, noNaN: true });

describe("axis of the latency range", (test) => {
  test("given rows, spans whole decades around all of them", () => {
    assert.equal(latencyAxisOf([row(12, 40, 900), row(80)], null), { low: 1, high: 3 });
    assert.equal(latencyAxisOf([row(12), row(1000)], null), { low: 1, high: 4 });
  });

  test("given rows without a sample, keeps the axis unchanged", () => {
    const without = { p50: null, p95: null, p99: null };
    assert.is(latencyAxisOf([without], null), null);
    assert.equal(latencyAxisOf([without], { low: 0, high: 2 }), { low: 0, high: 2 });
    assert.is(latencyRangeOf(without, { low: 0, high: 2 }), null);
  });

  test("given an axis wider than the rows need, does not narrow it, so that scrolling moves no bar", () => {
    assert.equal(latencyAxisOf([row(50)], { low: -1, high: 4 }), { low: -1, high: 4 });
  });

  test("given decades, draws their lines from the left edge and names the unit in the first only", () => {
    const decades = decadesOf({ low: 1, high: 4 });
    assert.equal(
      decades.map(({ label }) => label),
      ["10 ms", "100", "1 s"],
    );
    assert.equal(
      decades.map(({ style }) => style.left),
      ["0px", "61px", "123px"],
    );
  });

  test("given any latencies, keeps their order and places all within the drawing", () => {
    fc.assert(
      fc.property(fc.array(latency, { minLength: 2 }), (latencies) => {
        const axis = latencyAxisOf(
          latencies.map((each) => row(each)),
          null,
        );
        assert.ok(axis);
        const places = latencies.sort((a, b) => a - b).map((each) => positionOn(axis, each));
        for (const [index, position] of places.entries()) {
          assert.ok(position >= 0 && position <= SPREAD_WIDTH);
          assert.ok(index === 0 || position >= (places[index - 1] ?? 0));
        }
      }),
    );
  });

  test("given a row, draws dot, tick and tail at its percentiles", () => {
    const axis = { low: 0, high: 2 };
    assert.equal(latencyRangeOf(row(1, 10, 100), axis), {
      body: "M0 11a3 3 0 1 1 0 6a3 3 0 1 1 0-6zM0 13H92v2H0zM92 9h2v10h-2z",
      tail: "M92 14H184M184 11v6",
    });
  });
});
