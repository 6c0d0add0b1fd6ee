import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { RecentStarts } from "../../../src/engine/stats/recent-starts.ts";
import { describe } from "../../support/describe.ts";

const anyStarts = fc.array(fc.nat(200_000), { maxLength: 80 });

describe("recent starts", (test) => {
  test("given a full second, counts starts of the last 60 seconds and of the second that begins", () => {
    fc.assert(
      fc.property(anyStarts, (starts) => {
        const latest = Math.max(0, ...starts);
        // Starts that arrive at most a minute late.
        const known = starts.filter((at) => at > latest - 60_000).toSorted((a, b) => b - a);
        const recent = new RecentStarts();
        for (const at of known) recent.add(at as Instant);
        const now = Math.floor(latest / 1_000) * 1_000;
        const begun = known.filter((at) => at >= now - 60_000 && at < now + 1_000).length;
        assert.is(recent.lastMinute(now as Instant), begun);
      }),
    );
  });

  test("given a moment within a second, counts the second at the minute's edge in part", () => {
    const recent = new RecentStarts();
    for (const at of [500, 600, 30_000]) recent.add(at as Instant);
    assert.is(recent.lastMinute(60_250 as Instant), 1 + 2 * 0.75);
    assert.is(recent.lastMinute(61_000 as Instant), 1);
  });

  test("given no further start, the rate per minute changes at most once a second", () => {
    fc.assert(
      fc.property(anyStarts, fc.nat(100_000), (starts, since) => {
        const recent = new RecentStarts();
        for (const at of starts.toSorted((a, b) => a - b)) recent.add(at as Instant);
        const first = Math.max(0, ...starts);
        const rates = Array.from({ length: 600 }, (_, turn) =>
          recent.ratePerMinute((first - since) as Instant, (first + turn * 100) as Instant),
        );
        const changes = rates.filter((rate, index) => index > 0 && rate !== rates[index - 1]).length;
        assert.ok(changes <= 60, `${changes} changes in 60 s`);
      }),
    );
  });

  test("given a start that arrives more than a minute late, does not count it", () => {
    const recent = new RecentStarts();
    recent.add(150_000 as Instant);
    recent.add(30_000 as Instant);
    assert.is(recent.lastMinute(150_000 as Instant), 1);
  });
});
