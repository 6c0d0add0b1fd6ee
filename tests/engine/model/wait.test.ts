import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { timedLatencyOf } from "../../../src/engine/model/duration.ts";
import { WAITED_FOR, type WaitedFor, waitOf } from "../../../src/engine/model/wait.ts";
import { anyExchanges } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const waited = (waitedFor: WaitedFor | null, instants: Record<string, number | null>) =>
  waitOf(exchange({ start: 100, end: 500, waitedFor, instants }));

describe("waiting", (test) => {
  test("runs from the request's arrival to its first phase", () => {
    const [headReceived, requestStart] = [102, 160];
    assert.equal(waited("stream", { headReceived, requestStart }), { waitedFor: "stream", from: 2, to: 60 });
    const dialled = { headReceived, connectStart: 140, connectEnd: 150, requestStart };
    assert.equal(waited("connection", dialled), { waitedFor: "connection", from: 2, to: 40 });
    assert.is(waited("connection", { ...dialled, domainLookupStart: 130, domainLookupEnd: 140 })?.to, 30);
  });

  test("in the browser's own queue, lasts from the start to the head's arrival, and is no part of the latency", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 90 }), (queue, rest) => {
        const headReceived = 100 + queue;
        const instants = { headReceived, requestStart: headReceived + rest, responseEnd: 500 };
        const own = exchange({ start: 100, end: 500, waitedFor: "browser", instants });
        assert.equal(waitOf(own), queue === 0 ? null : { waitedFor: "browser", from: 0, to: queue });
        assert.is(timedLatencyOf(own), 400 - queue);
        assert.is(timedLatencyOf(exchange({ start: 100, end: 500, waitedFor: "stream", instants })), 400);
      }),
    );
  });

  test("did not happen where nobody said so, however late the request went out", () => {
    assert.is(waited(null, { requestStart: 400 }), null);
  });

  test("lasted to the end of what never came to a phase", () => {
    const none = { headReceived: 101, requestStart: null, responseStart: null, responseEnd: null };
    assert.equal(waited("connection", none), { waitedFor: "connection", from: 1, to: 400 });
    assert.is(waitOf(exchange({ end: null, waitedFor: "connection", instants: { requestStart: null } })), null);
  });

  test("never has a negative length, and tells what was waited for", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.constantFrom(...WAITED_FOR), (exchanges, waitedFor) => {
        for (const made of exchanges) {
          const wait = waitOf({ ...made, waitedFor });
          if (wait !== null) assert.ok(wait.waitedFor === waitedFor && wait.from >= 0 && wait.to > wait.from);
        }
      }),
    );
  });
});
