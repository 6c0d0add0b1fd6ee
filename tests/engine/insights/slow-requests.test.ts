import * as assert from "uvu/assert";
import { slowCauseOf, slowLimitOf, slowRequestOf } from "../../../src/engine/insights/slow-requests.ts";
import { EndpointTally } from "../../../src/engine/stats/endpoint-tally.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

function tallyOf(latencies: readonly number[]): EndpointTally {
  const tally = new EndpointTally(exchange().endpoint);
  latencies.forEach((end, index) => {
    tally.record(exchange({ id: index + 1, end }));
  });
  return tally;
}

describe("slow requests", (test) => {
  test("the limit is the lower of the endpoint's p95 and the fixed threshold", () => {
    const tally = tallyOf([10, 20, 30, 40, 50]);
    assert.is(slowLimitOf(tally, null), 48);
    assert.is(slowLimitOf(tally, 30), 30);
    assert.is(slowLimitOf(tally, 300), 48);
  });

  test("an endpoint without a row has no p95, but the fixed threshold holds for it", () => {
    const tally = tallyOf([10, 20]);
    assert.is(slowLimitOf(tally, null), null);
    assert.is(slowLimitOf(tally, 15), 15);
  });

  test("a request that is exactly at its p95 is not slow", () => {
    const tally = tallyOf([10, 10, 10, 10, 10]);
    assert.is(slowRequestOf(exchange({ end: 10 }), 10, tally, null), null);
  });

  test("each states its reasons and how many times its p50 it took", () => {
    const tally = tallyOf([10, 20, 30, 40, 60]);
    const slow = slowRequestOf(exchange({ end: 60 }), 60, tally, 50);
    assert.equal(slow?.reasons, ["p95", "fixed"]);
    assert.is(slow?.timesP50, 2);
    assert.equal(slowRequestOf(exchange({ end: 60 }), 60, tally, 90)?.reasons, ["p95"]);
    assert.equal(slowRequestOf(exchange({ end: 50 }), 50, tally, 45)?.reasons, ["fixed"]);
  });

  test("one that is exactly at the fixed threshold is not slow", () => {
    assert.is(slowRequestOf(exchange({ end: 50 }), 50, tallyOf([]), 50), null);
  });

  test("of an endpoint without a row there is the fixed threshold alone, and no p50 to compare with", () => {
    const slow = slowRequestOf(exchange({ end: 60 }), 60, tallyOf([10, 60]), 50);
    assert.equal([slow?.reasons, slow?.p50, slow?.p95, slow?.timesP50], [["fixed"], null, null, null]);
  });

  test("nothing is so many times a p50 of 0", () => {
    const slow = slowRequestOf(exchange({ end: 1 }), 1, tallyOf([0, 0, 0, 0, 1]), null);
    assert.equal([slow?.reasons, slow?.p50, slow?.timesP50], [["p95"], 0, null]);
    const least = slowRequestOf(exchange({ end: 3 }), 3, tallyOf([1, 1, 1, 1, 3]), null);
    assert.is(least?.timesP50, 3);
  });

  const medians = { dns: 1, connect: 2, tls: null, ttfb: 100, transfer: 10, weir: 0.25 };

  test("the cause is the phase with the largest excess over its own median", () => {
    const lengths = { dns: 1, connect: 2, tls: null, ttfb: 130, transfer: 60, weir: 0.2 };
    assert.equal(slowCauseOf(lengths, medians, null), { phase: "transfer", length: 60, median: 10, excess: 50 });
  });

  test("also where it is a part of a millisecond", () => {
    assert.is(slowCauseOf({ ...medians, dns: 1.25 }, medians, null)?.excess, 0.25);
  });

  test("a phase that happened in no other exchange is excess as a whole", () => {
    const lengths = { dns: null, connect: null, tls: 180, ttfb: 130, transfer: 10, weir: null };
    assert.equal(slowCauseOf(lengths, medians, null), { phase: "tls", length: 180, median: null, excess: 180 });
  });

  test("Weir's own time may be the cause", () => {
    assert.equal(slowCauseOf({ ...medians, ttfb: 110, weir: 40.25 }, medians, null), {
      phase: "weir",
      length: 40.25,
      median: 0.25,
      excess: 40,
    });
  });

  test("where its times are too uncertain, it is slow without a cause", () => {
    const instants = { responseStart: 300 };
    const tally = tallyOf([10, 10, 10, 10, 10]);
    const causeOf = (uncertainty: number) =>
      slowRequestOf(exchange({ end: 340, instants, uncertainty }), 340, tally, null)?.cause?.phase ?? null;
    assert.equal([causeOf(0), causeOf(19), causeOf(20)], ["ttfb", "ttfb", null]);
  });

  test("where nothing took longer than usual there is no cause", () => {
    assert.is(slowCauseOf(medians, medians, null), null);
  });

  test("no phase is the cause where waiting before them was longer than any excess", () => {
    const lengths = { dns: null, connect: null, tls: null, ttfb: 130, transfer: 10, weir: null };
    const waited = (to: number) => slowCauseOf(lengths, medians, { waitedFor: "connection", from: 10, to });
    assert.is(waited(40.1), null);
    assert.is(waited(40)?.phase, "ttfb");
  });

  test("what waited for a connection that another exchange was opening says so, and blames nobody", () => {
    const tally = tallyOf([10, 10, 10, 10, 10]);
    const instants = { requestStart: 320, responseStart: 338, responseEnd: 340 };
    const slow = slowRequestOf(exchange({ end: 340, waitedFor: "connection", instants }), 340, tally, null);
    assert.is(slow?.cause, null);
    assert.equal(slow?.wait, { waitedFor: "connection", from: 0, to: 320 });
  });

  test("how long a body took to send is told of a request that had one", () => {
    const tally = tallyOf([10, 10, 10, 10, 10]);
    const instants = { requestStart: 0, requestEnd: 80 };
    const uploaded = (requestBodySize: number) =>
      slowRequestOf(exchange({ end: 100, instants, requestBodySize }), 100, tally, null)?.upload;
    assert.equal([uploaded(2_000), uploaded(0)], [80, null]);
  });
});
