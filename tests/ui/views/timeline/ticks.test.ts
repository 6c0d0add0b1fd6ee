import * as assert from "uvu/assert";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { clockTicksOf, rulerOf } from "../../../../src/ui/views/timeline/ticks.ts";
import { describe } from "../../../support/describe.ts";

const NOON = new Date(2026, 10, 20, 12, 36, 20, 600).getTime();
const range = (length: number) => ({ from: NOON as Instant, to: (NOON + length) as Instant });
const labels = (length: number, width = 800) =>
  rulerOf(range(length), width)
    .map(({ label }) => label)
    .filter((label) => label !== "");

describe("Timeline axis ticks", (test) => {
  test("given a range, the ruler shows its start and then round steps of time", () => {
    assert.equal(labels(4_000), ["12:36:20.600", "+500 ms", "+1 s", "+1.5 s", "+2 s", "+2.5 s", "+3 s", "+3.5 s"]);
    assert.equal(labels(40), ["12:36:20.600", "+5 ms", "+10 ms", "+15 ms", "+20 ms", "+25 ms", "+30 ms", "+35 ms"]);
    assert.equal(labels(600_000).slice(0, 3), ["12:36:20.600", "+2 min", "+4 min"]);
    assert.equal(labels(36_000_000).slice(0, 3), ["12:36:20.600", "+2 h", "+4 h"]);
  });

  test("given any range, keeps the ruler's labels apart from each other and from the right edge", () => {
    for (let length = 1; length < 1e9; length *= 3.7) {
      const ticks = rulerOf(range(length), 700).filter(({ label }) => label !== "");
      for (const [index, { left }] of ticks.entries()) {
        if (index > 0) assert.ok(left - (ticks[index - 1]?.left ?? 0) >= 88, `${length} ms: ${left}`);
        assert.ok(left <= 700 - 46 || index === 0);
      }
      assert.ok(ticks.length >= 2, `${length} ms`);
    }
  });

  test("given a session, the clock below the minimap shows round times of day", () => {
    const ticks = clockTicksOf(range(720_000), 1_080).filter(({ label }) => label !== "");
    assert.equal(
      ticks.map(({ label }) => label),
      ["12:38", "12:40", "12:42", "12:44", "12:46", "12:48"].slice(0, ticks.length),
    );
    assert.ok(ticks.length >= 5);
  });

  test("given a range of seconds, the clock shows seconds", () => {
    assert.match(clockTicksOf(range(10_000), 1_080).find(({ label }) => label !== "")?.label ?? "", /^12:36:2\d$/);
  });
});
