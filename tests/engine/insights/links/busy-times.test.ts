import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { busyTimesOf, PERSONS_GAP } from "../../../../src/engine/insights/links/busy-times.ts";
import { describe } from "../../../support/describe.ts";

const moment = fc.integer({ min: 0, max: 60 });
const span = fc.record({ client: fc.constantFrom("one", "two"), start: moment, lasts: fc.integer({ min: 0, max: 9 }) });

describe("busy times of a client", (test) => {
  test("given any exchanges, counts each millisecond in which the client had none in flight", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 20 }), moment, moment, (drawn, from, to) => {
        const spans = drawn
          .map(({ client, start, lasts }) => ({ client, start, end: start + lasts }))
          .sort((one, other) => one.start - other.start);
        const isIdle = (at: number) =>
          spans.every(({ client, start, end }) => client !== "one" || at < start || at >= end);
        const idle = Array.from({ length: 60 }, (_, at) => at).filter((at) => at >= from && at < to && isIdle(at));
        assert.is(busyTimesOf(spans).idleBetween("one", from, to), idle.length);
      }),
    );
  });

  test("given any exchanges, a gap is a person's from 2 s without an exchange in flight on", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 20 }), moment, moment, (drawn, from, to) => {
        const spans = drawn
          .map(({ client, start, lasts }) => ({ client, start: start * 100, end: (start + lasts) * 100 }))
          .sort((one, other) => one.start - other.start);
        const busy = busyTimesOf(spans);
        const idle = busy.idleBetween("one", from * 100, to * 100);
        assert.is(busy.isPersonsGap("one", from * 100, to * 100), idle >= PERSONS_GAP);
      }),
    );
  });
});
