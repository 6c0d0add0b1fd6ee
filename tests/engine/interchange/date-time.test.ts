import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { instantOf, instantOfHttpDate, isoOf } from "../../../src/engine/interchange/date-time.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

const LAST = Date.UTC(9999, 11, 31);

describe("dates and times", (test) => {
  test("given any millisecond, writes and reads it as the platform does", () => {
    fc.assert(
      fc.property(fc.integer({ min: -2e12, max: LAST }), (at) => {
        assert.is(isoOf(at as Instant), new Date(at).toISOString());
        assert.is(instantOf(new Date(at).toISOString()), at);
      }),
      { numRuns: rounds(2_000) },
    );
  });

  test("given microseconds, keeps them", () => {
    assert.is(isoOf(1_500_000_000_000.25 as Instant), "2017-07-14T02:40:00.000250Z");
    assert.is(instantOf("2017-07-14T02:40:00.000250Z"), 1_500_000_000_000.25);
  });

  test("given offsets and other spellings of ISO 8601, reads the same instant", () => {
    const at = Date.UTC(2017, 6, 14, 2, 40);
    for (const text of [
      "2017-07-14T04:40:00.000+02:00",
      "2017-07-14T04:40:00+0200",
      "2017-07-13T21:40:00-05",
      "2017-07-14T08:10:00+05:30",
      "2017-07-13T23:10:00-0330",
      "2017-07-14 02:40:00Z",
      "20170714T024000Z",
      "2017-07-14T02:40Z",
      "2017-07-14T02:40:00",
      "2017-07-14T02:39:60Z",
    ])
      assert.is(instantOf(text), at, text);
  });

  test("given text that is not a date and time, returns null", () => {
    for (const text of ["", "yesterday", "2017-13-01T00:00:00Z", "2017-00-01T00:00:00Z", "2017-01-01", "1e9"])
      assert.is(instantOf(text), null, text);
    for (const time of ["00T00:00:00", "32T00:00:00", "01T25:00:00", "01T00:60:00", "01T00:00:61"])
      assert.is(instantOf(`2017-01-${time}Z`), null, time);
  });

  test("given an HTTP date in either form, reads it", () => {
    const at = Date.UTC(1994, 10, 6, 8, 49, 37);
    assert.is(instantOfHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), at);
    assert.is(instantOfHttpDate("Sunday, 06-Nov-94 08:49:37 GMT"), at);
    assert.is(instantOfHttpDate("Sun, 06-Nov-1994 08:49:37 GMT"), at);
    assert.is(instantOfHttpDate("0"), null);
    assert.is(instantOfHttpDate("Sun, 06 Foo 1994 08:49:37 GMT"), null);
  });
});
