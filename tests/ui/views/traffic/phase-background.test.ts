import * as assert from "uvu/assert";
import { phaseBackground } from "../../../../src/ui/views/traffic/phase-background.ts";
import { describe } from "../../../support/describe.ts";

describe("a phase bar as a background", (test) => {
  test("a span's place is a share of the room beside it, so that it starts and ends where it should", () => {
    const background = phaseBackground([{ phase: "ttfb", from: 500, to: 1000 }], null, 2000);
    // 25 % wide, starting at 25 %: a third of the remaining 75 %.
    assert.match(background, / 33\.333% bottom \/ max\(1px, 25%\) var\(--phase-step-ttfb\) no-repeat$/);
  });

  test("Transfer is two rails, the others one", () => {
    const background = phaseBackground(
      [
        { phase: "dns", from: 0, to: 10 },
        { phase: "transfer", from: 10, to: 20 },
      ],
      null,
      20,
    );
    assert.is(background.split("no-repeat").length - 1, 3);
  });

  test("nothing beyond the axis, and nothing at all without spans", () => {
    assert.match(phaseBackground([{ phase: "ttfb", from: 0, to: 900 }], null, 100), /max\(1px, 100%\)/);
    assert.is(phaseBackground([], null, 100), "none");
  });

  test("what failed is a thin line from what is known of it to when it failed", () => {
    const connect = { phase: "connect", from: 0, to: 500 } as const;
    const line = (background: string): string => background.split(", linear-gradient").at(-1) ?? "";
    // Half as wide as the axis, starting at 25 %: in the middle of the rest.
    assert.match(phaseBackground([connect], 1500, 2000), /trace-2.* 50% center \/ max\(1px, 50%\) 2px no-repeat$/);
    assert.match(
      phaseBackground([], 2000, 2000),
      /^linear-gradient\(var\(--color-trace-2\).* 0 center \/ max\(1px, 100%\)/,
    );
    assert.not.match(line(phaseBackground([connect], 500, 2000)), /trace-2/);
  });
});
