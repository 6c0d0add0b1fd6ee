import * as assert from "uvu/assert";
import { phaseBackground } from "../../../../src/ui/views/traffic/phase-background.ts";
import { describe } from "../../../support/describe.ts";

type Bar = Parameters<typeof phaseBackground>[0];

function background(change: Partial<Bar>, scale: number): string {
  return phaseBackground({ spans: [], failedAfter: null, wait: null, slowed: [], ...change }, scale);
}

describe("phase bar background", (test) => {
  test("given a span, computes a background position that puts it at its share of the axis", () => {
    // 25 % wide, starting at 25 %: a third of the remaining 75 %.
    const bar = background({ spans: [{ phase: "ttfb", from: 500, to: 1000 }] }, 2000);
    assert.match(bar, / 33\.333% bottom \/ max\(1px, 25%\) var\(--phase-step-ttfb\) no-repeat$/);
  });

  test("given Transfer, draws two rails, and one for any other phase", () => {
    const spans = [
      { phase: "dns", from: 0, to: 10 },
      { phase: "transfer", from: 10, to: 20 },
    ] as const;
    assert.is(background({ spans }, 20).split("no-repeat").length - 1, 3);
  });

  test("given a span beyond the axis, cuts it there, and given no spans, draws nothing", () => {
    assert.match(background({ spans: [{ phase: "ttfb", from: 0, to: 900 }] }, 100), /max\(1px, 100%\)/);
    assert.is(background({}, 100), "none");
  });

  test("given a failure, draws a thin line from the last known phase to the time of the failure", () => {
    const connect = { phase: "connect", from: 0, to: 500 } as const;
    // Half as wide as the axis, starting at 25 %: in the middle of the rest.
    const line = /trace-2.* 50% center \/ max\(1px, 50%\) 2px no-repeat$/;
    assert.match(background({ spans: [connect], failedAfter: 1500 }, 2000), line);
    assert.match(background({ wait: { from: 0, to: 500 }, failedAfter: 1500 }, 2000), line);
    assert.match(
      background({ failedAfter: 2000 }, 2000),
      /^linear-gradient\(var\(--color-trace-2\).* 0 center \/ max\(1px, 100%\)/,
    );
    assert.not.match(background({ spans: [connect], failedAfter: 500 }, 2000), /trace-2/);
  });

  test("given a wait before the first phase, draws it as the lowest bar", () => {
    const ttfb = { phase: "ttfb", from: 500, to: 1000 } as const;
    assert.match(
      background({ spans: [ttfb], wait: { from: 0, to: 500 } }, 1000),
      /trace-2\).* 0% bottom \/ max\(1px, 50%\) var\(--phase-step-wait\) no-repeat$/,
    );
  });
});
