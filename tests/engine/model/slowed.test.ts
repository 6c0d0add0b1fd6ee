import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { phasesOf } from "../../../src/engine/model/phases.ts";
import { slowedStretchesOf, slowedTimeOf } from "../../../src/engine/model/slowed.ts";
import { spansOf } from "../../../src/engine/model/span.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const ms = fc.integer({ min: 0, max: 900 });

/** An exchange whose request, upload and response were slowed for a part of their time. */
const anySlowed = fc
  .record({ head: ms, own: ms, upload: ms, server: ms, forward: ms, transfer: ms, share: ms })
  .map((sketch) => {
    const requestStart = 1_000 + sketch.head + sketch.own;
    const responseStart = requestStart + sketch.upload + sketch.server;
    const responseForwarded = responseStart + sketch.forward;
    const responseEnd = responseForwarded + sketch.transfer;
    const part = (length: number): number => (length * sketch.share) / 900;
    const slowed = { request: part(sketch.head), upload: part(sketch.upload), response: part(sketch.transfer) };
    const headReceived = 1_000 + sketch.head;
    const requestEnd = requestStart + sketch.upload;
    const instants = { headReceived, requestStart, requestEnd, responseStart, responseForwarded, responseEnd };
    return { sketch, slowed, made: exchange({ start: 1_000, end: responseEnd, instants, slowed }) };
  });

describe("slowed time", (test) => {
  test("given any slowed exchange, the phases, the head's arrival and what was slowed add up to the latency", () => {
    fc.assert(
      fc.property(anySlowed, ({ sketch, slowed, made }) => {
        const phases = phasesOf(made.instants, null, made.slowed);
        const known = Object.values(phases).reduce((sum: number, time) => sum + (time ?? 0), 0);
        const arrival = sketch.head - slowed.request;
        const latency = (made.endTime ?? 0) - made.instants.startTime;
        assert.ok(Math.abs(known + arrival + slowedTimeOf(made) - latency) < 1e-6);
        assert.ok(Math.abs((phases.ttfb ?? 0) - (sketch.upload - slowed.upload + sketch.server)) < 1e-6);
        assert.ok(Math.abs((phases.transfer ?? 0) - (sketch.transfer - slowed.response)) < 1e-6);
      }),
    );
  });

  test("given any slowed exchange, no phase overlaps what was slowed", () => {
    fc.assert(
      fc.property(anySlowed, ({ made }) => {
        const spans = spansOf(made.instants, null, made.slowed).filter(({ from, to }) => to > from);
        for (const { from, to } of slowedStretchesOf(made))
          assert.not.ok(spans.some((span) => span.from < to - 1e-6 && span.to > from + 1e-6));
      }),
    );
  });

  test("given an exchange that failed before its response, shows no more than the time until then", () => {
    fc.assert(
      fc.property(ms, ms, (lasted, request) => {
        const none = {
          requestStart: null,
          requestEnd: null,
          responseStart: null,
          responseForwarded: null,
          responseEnd: null,
        };
        const slowed = { request, upload: 5, response: 5 };
        const failed = exchange({ start: 0, end: lasted, instants: none, slowed });
        assert.is(slowedTimeOf(failed), Math.min(lasted, request));
      }),
    );
  });

  test("given an exchange without conditions, changes nothing", () => {
    const made = exchange({ start: 0, end: 40, instants: { requestStart: 1, responseStart: 20 } });
    assert.equal(slowedStretchesOf(made), []);
    assert.equal(phasesOf(made.instants, null, made.slowed), phasesOf(made.instants));
  });
});
