import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { TimeRange } from "../../../../src/engine/messages/timeline-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import {
  bothOf,
  fitted,
  latestOf,
  lengthOf,
  moved,
  overlaps,
  resized,
  spanned,
  zoomed,
} from "../../../../src/ui/views/timeline/visible-range.ts";
import { describe } from "../../../support/describe.ts";

const range = (from: number, to: number): TimeRange => ({ from: from as Instant, to: to as Instant });
const WHOLE = range(0, 100_000);
const moment = fc.double({ min: 0, max: 100_000, noNaN: true });

describe("visible range of Timeline", (test) => {
  test("given a zoom, keeps the moment under the pointer in place", () => {
    assert.equal(zoomed(range(1_000, 2_000), 0.5, 1_250, WHOLE), range(1_125, 1_625));
    assert.equal(zoomed(range(1_000, 2_000), 2, 1_500, WHOLE), range(500, 2_500));
  });

  test("given an extreme zoom, stops at one millisecond and at the whole session", () => {
    assert.is(lengthOf(zoomed(range(10, 12), 0.0001, 11, WHOLE)), 1);
    assert.equal(zoomed(range(10, 90_000), 50, 40_000, WHOLE), WHOLE);
  });

  test("given any changes, the range stays within the session and never becomes empty", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("zoom"), by: fc.double({ min: 0.01, max: 100, noNaN: true }), at: moment }),
      fc.record({ kind: fc.constant("move"), by: fc.double({ min: -1e6, max: 1e6, noNaN: true }), at: moment }),
      fc.record({ kind: fc.constant("from"), by: fc.constant(0), at: moment }),
      fc.record({ kind: fc.constant("to"), by: fc.constant(0), at: moment }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let now = range(20_000, 30_000);
        for (const { kind, by, at } of steps) {
          if (kind === "zoom") now = zoomed(now, by, Math.min(Math.max(at, now.from), now.to), WHOLE);
          else if (kind === "move") now = moved(now, by, WHOLE);
          else now = resized(now, kind === "from" ? "from" : "to", at, WHOLE);
          assert.ok(now.from >= -1e-6 && now.to <= 100_000 + 1e-6, JSON.stringify(now));
          assert.ok(lengthOf(now) > 0.99, JSON.stringify(now));
        }
      }),
    );
  });

  test("given a dragged edge, does not move it past the other edge", () => {
    assert.equal(resized(range(100, 200), "from", 500, WHOLE), range(199, 200));
    assert.equal(resized(range(100, 200), "to", 5, WHOLE), range(100, 101));
  });

  test("given two moments in either order, returns the same range of at least a millisecond", () => {
    assert.equal(spanned(300, 100), spanned(100, 300));
    assert.is(lengthOf(spanned(5, 5)), 1);
  });

  test("given a session, first shows its latest seconds, with room to grow while it is short", () => {
    const young = latestOf(range(1_000, 1_400));
    assert.ok(young.from < 1_000 && young.to > 5_000);
    const old = latestOf(range(0, 100_000));
    assert.ok(old.from < 95_000 && old.from > 90_000 && old.to >= 100_000);
  });

  test("given a whole session, fits it with room on both sides", () => {
    const { from, to } = fitted(WHOLE);
    assert.ok(from < 0 && to > 100_000);
    assert.equal(bothOf(range(5, 10), range(8, 20)), range(5, 20));
  });

  test("given two ranges that touch, treats them as overlapping", () => {
    assert.ok(overlaps(range(0, 10), range(10, 20)));
    assert.not(overlaps(range(0, 10), range(11, 20)));
  });
});
