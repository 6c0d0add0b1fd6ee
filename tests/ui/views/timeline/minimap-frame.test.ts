import * as assert from "uvu/assert";
import type { Density } from "../../../../src/engine/messages/timeline-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { EMPTY_MINIMAP, minimapFrameOf } from "../../../../src/ui/views/timeline/minimap-frame.ts";
import { describe } from "../../../support/describe.ts";

const START = new Date(2026, 10, 20, 12, 30).getTime();
const at = (later: number) => (START + later) as Instant;
const slices = [
  { requests: 10, errors: 0 },
  { requests: 0, errors: 0 },
  { requests: 5, errors: 2 },
  { requests: 1, errors: 1 },
];
const density: Density = {
  start: at(0),
  end: at(100_000),
  sliceLength: 25_000,
  slices,
  matched: 396,
  whole: { from: at(0), to: at(100_000) },
  matching: null,
  ended: false,
};

describe("Timeline minimap frame", (test) => {
  test("given a visible range, shows its exchanges, the total, its length, and its place in the session", () => {
    const frame = minimapFrameOf(density, { from: at(20_000), to: at(23_900) }, 1_000, 13);
    assert.is(frame.summary, "13 of 396 in 3.9 s");
    assert.is(frame.description, "16 requests from 12:30:00 to 12:31:40, 3 errors");
    assert.equal(frame.brush, { left: "200px", width: "39px" });
    assert.equal([frame.from.now, frame.to.now, frame.from.most, frame.from.text], [20, 23.9, 100, "12:30:20.000"]);
  });

  test("given no session, draws nothing", () => {
    assert.is(minimapFrameOf({ ...density, whole: null }, { from: at(0), to: at(1) }, 1_000, 0), EMPTY_MINIMAP);
  });

  test("given a session of a single moment, draws it on an axis of one second", () => {
    const moment = { ...density, whole: { from: at(0), to: at(0) } };
    const frame = minimapFrameOf(moment, { from: at(0), to: at(500) }, 1_000, 1);
    assert.equal(frame.brush, { left: "0px", width: "500px" });
  });
});
