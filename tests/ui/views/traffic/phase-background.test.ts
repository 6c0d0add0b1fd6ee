import * as assert from "uvu/assert";
import { phaseBackground } from "../../../../src/ui/views/traffic/phase-background.ts";
import { describe } from "../../../support/describe.ts";

describe("a phase bar as a background", (test) => {
  test("a span's place is a share of the room beside it, so that it starts and ends where it should", () => {
    const background = phaseBackground([{ phase: "ttfb", from: 500, to: 1000 }], 2000);
    // 25 % wide, starting at 25 %: a third of the 75 % that are left.
    assert.match(background, / 33\.333% bottom \/ max\(1px, 25%\) var\(--phase-step-ttfb\) no-repeat$/);
  });

  test("Transfer is two rails, the others one", () => {
    const background = phaseBackground(
      [
        { phase: "dns", from: 0, to: 10 },
        { phase: "transfer", from: 10, to: 20 },
      ],
      20,
    );
    assert.is(background.split("no-repeat").length - 1, 3);
  });

  test("nothing beyond the axis, and nothing at all without spans", () => {
    assert.match(phaseBackground([{ phase: "ttfb", from: 0, to: 900 }], 100), /max\(1px, 100%\)/);
    assert.is(phaseBackground([], 100), "none");
  });
});
