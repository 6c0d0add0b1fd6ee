import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { barShare, slowBarOf } from "../../../../../src/ui/views/performance/slow/slow-bar.ts";
import { describe } from "../../../../support/describe.ts";

describe("the bar of a slow request", (test) => {
  test("its own p95 stands at a third of the axis, whatever it is", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1e5, noNaN: true }), fc.double({ min: 1, max: 2.5 }), (p95, times) => {
        assert.ok(Math.abs(barShare(p95, p95 * times, p95) - 1 / 3) < 1e-9);
      }),
    );
  });

  test("up to 3x it is whole and to scale", () => {
    const bar = slowBarOf({ spans: [{ phase: "ttfb", from: 0, to: 150 }], wait: null, latency: 200, p50: 50 }, 100);
    assert.equal(bar.parts, [{ kind: "phase-ttfb", style: { left: "0%", width: "calc(50% - 1px)" } }]);
    assert.is(bar.cut, null);
    assert.is(bar.p50, 50 / 300);
  });

  test("past 3x the middle is left out: start and end stay to scale", () => {
    const spans = [
      { phase: "ttfb", from: 0, to: 990 },
      { phase: "transfer", from: 990, to: 1000 },
    ] as const;
    const bar = slowBarOf({ spans, wait: null, latency: 1000, p50: null }, 100);
    assert.ok(bar.cut !== null && bar.cut > 0.8 && bar.cut < 1);
    assert.is(barShare(50, 1000, 100), 50 / 300);
    assert.is(barShare(1000, 1000, 100), 1);
    assert.ok(Math.abs(barShare(990, 1000, 100) - (1 - 10 / 300)) < 1e-9);
  });

  test("waiting is a part of its own, before the phases", () => {
    const wait = { waitedFor: "stream", from: 3, to: 150 } as const;
    const bar = slowBarOf({ spans: [{ phase: "ttfb", from: 150, to: 300 }], wait, latency: 300, p50: null }, 100);
    assert.equal(
      bar.parts.map(({ kind, style }) => [kind, style.left]),
      [
        ["phase-wait", "1%"],
        ["phase-ttfb", "50%"],
      ],
    );
  });

  test("moments keep their order and stay on the axis", () => {
    const moments = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(
        moments,
        fc.double({ min: 0.1, max: 1e5, noNaN: true }),
        fc.double({ min: 0.1, max: 1e4, noNaN: true }),
        (at, latency, scale) => {
          const shares = at.sort((a, b) => a - b).map((each) => barShare(each * latency, latency, scale));
          for (const [index, share] of shares.entries()) {
            assert.ok(share >= 0 && share <= 1);
            assert.ok(index === 0 || share >= (shares[index - 1] ?? 0) - 1e-12);
          }
        },
      ),
    );
  });
});
