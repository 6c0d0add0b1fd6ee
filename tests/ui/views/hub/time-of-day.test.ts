import * as assert from "uvu/assert";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { timeOfDayText } from "../../../../src/ui/views/hub/time-of-day.ts";
import { describe } from "../../../support/describe.ts";

const local = (...parts: [number, number, number, number, number]): Instant => new Date(...parts).getTime() as Instant;

describe("time format in the Setup Hub", (test) => {
  const now = local(2026, 10, 20, 9, 5);

  test('given a moment, shows the time for today, "yesterday" and the time, or the date for older ones', () => {
    assert.is(timeOfDayText(local(2026, 10, 20, 0, 1), now), "00:01");
    assert.is(timeOfDayText(local(2026, 10, 19, 23, 59), now), "yesterday 23:59");
    assert.is(timeOfDayText(local(2026, 10, 3, 9, 10), now), "Nov 3 09:10");
  });
});
