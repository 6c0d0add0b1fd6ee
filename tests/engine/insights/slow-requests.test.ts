import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { slowCauseOf, slowLimitOf, slowRequestOf } from "../../../src/engine/insights/slow-requests.ts";
import type { Phase } from "../../../src/engine/model/phases.ts";
import { EndpointTally } from "../../../src/engine/stats/endpoint-tally.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";

function tallyOf(latencies: readonly number[]): EndpointTally {
  const tally = new EndpointTally(exchange().endpoint);
  latencies.forEach((end, index) => {
    tally.record(exchange({ id: index + 1, end }));
  });
  return tally;
}

describe("slow requests", (test) => {
  test("given a p95 and a fixed threshold, the slow limit is the lower of the two", () => {
    const tally = tallyOf([10, 20, 30, 40, 50]);
    assert.is(slowLimitOf(tally, null), 48);
    assert.is(slowLimitOf(tally, 30), 30);
    assert.is(slowLimitOf(tally, 300), 48);
  });

  test("given an endpoint with too few requests for a p95, the slow limit is the fixed threshold", () => {
    const tally = tallyOf([10, 20]);
    assert.is(slowLimitOf(tally, null), null);
    assert.is(slowLimitOf(tally, 15), 15);
  });

  test("given a latency equal to the endpoint's p95, the request is not slow", () => {
    const tally = tallyOf([10, 10, 10, 10, 10]);
    assert.is(slowRequestOf(exchange({ end: 10 }), 10, tally, null), null);
  });

  test("given a slow request, states its reasons and its multiple of the p50", () => {
    const tally = tallyOf([10, 20, 30, 40, 60]);
    const slow = slowRequestOf(exchange({ end: 60 }), 60, tally, 50);
    assert.equal(slow?.reasons, ["p95", "fixed"]);
    assert.is(slow?.timesP50, 2);
    assert.equal(slowRequestOf(exchange({ end: 60 }), 60, tally, 90)?.reasons, ["p95"]);
    assert.equal(slowRequestOf(exchange({ end: 50 }), 50, tally, 45)?.reasons, ["fixed"]);
  });

  test("given a latency equal to the fixed threshold, the request is not slow", () => {
    assert.is(slowRequestOf(exchange({ end: 50 }), 50, tallyOf([]), 50), null);
  });

  test("given an endpoint with too few requests for a row, the only reason is the fixed threshold, without a p50", () => {
    const slow = slowRequestOf(exchange({ end: 60 }), 60, tallyOf([10, 60]), 50);
    assert.equal([slow?.reasons, slow?.p50, slow?.p95, slow?.timesP50], [["fixed"], null, null, null]);
  });

  test("given a p50 of 0, states no multiple of the p50", () => {
    const slow = slowRequestOf(exchange({ end: 1 }), 1, tallyOf([0, 0, 0, 0, 1]), null);
    assert.equal([slow?.reasons, slow?.p50, slow?.timesP50], [["p95"], 0, null]);
    const least = slowRequestOf(exchange({ end: 3 }), 3, tallyOf([1, 1, 1, 1, 3]), null);
    assert.is(least?.timesP50, 3);
  });

  const medians = { dns: 1, connect: 2, tls: null, ttfb: 100, transfer: 10, weir: 0.25 };

  test("given phases longer than their medians, the cause is the phase with the largest excess", () => {
    const lengths = { dns: 1, connect: 2, tls: null, ttfb: 130, transfer: 60, weir: 0.2 };
    const cause = { phase: "transfer", length: 60, median: 10, excess: 50, isUsual: false };
    assert.equal(slowCauseOf(lengths, medians, null), cause);
  });

  test("given an excess of a fraction of a millisecond in a request of one, the phase is the cause", () => {
    const short = { dns: 0.5, connect: null, tls: null, ttfb: 1, transfer: 0.2, weir: 0.1 };
    assert.is(slowCauseOf({ ...short, dns: 0.75 }, short, null)?.excess, 0.25);
  });

  test("given excesses below a tenth of the request's time, the cause is the longest phase, as usual", () => {
    const long = fc.integer({ min: 100, max: 10_000 });
    const excess = fc.double({ min: 0, max: 2, noNaN: true });
    const most = fc.constantFrom<Phase>("dns", "connect", "tls", "ttfb", "transfer");
    fc.assert(
      fc.property(long, excess, excess, most, (length, own, weir, phase) => {
        const usual = { dns: 1, connect: 2, tls: 3, ttfb: 4, transfer: 5, weir: 0.5, [phase]: length };
        const lengths = { ...usual, weir: usual.weir + weir, [phase]: length + own };
        const cause = slowCauseOf(lengths, usual, null);
        assert.equal([cause?.phase, cause?.isUsual], [phase, true]);
      }),
    );
  });

  test("given any phases and wait, the cause took a tenth of the time at least, or the wait took more", () => {
    const length = fc.option(fc.double({ min: 0.1, max: 2_000, noNaN: true }));
    const drawn = fc.record({
      dns: length,
      connect: length,
      tls: length,
      ttfb: length,
      transfer: length,
      weir: length,
    });
    const wait = fc.option(fc.double({ min: 0.1, max: 2_000, noNaN: true }));
    fc.assert(
      fc.property(drawn, drawn, wait, (lengths, usual, to) => {
        const waited = to === null ? null : ({ waitedFor: "connection", from: 0, to } as const);
        const cause = slowCauseOf(lengths, usual, waited);
        const known = Object.values(lengths).flatMap((one) => one ?? []);
        const time = known.reduce((sum, one) => sum + one, to ?? 0);
        if (cause === null) assert.ok(known.length === 0 || (to ?? 0) >= 0.1 * time - 1e-9);
        else assert.ok((cause.isUsual ? cause.length : cause.excess) >= 0.1 * time - 1e-9, `${cause.phase}`);
        assert.ok((cause?.excess ?? 0) >= 0);
      }),
      { numRuns: rounds(300) },
    );
  });

  test("given a phase without a median, its whole length is excess", () => {
    const lengths = { dns: null, connect: null, tls: 180, ttfb: 130, transfer: 10, weir: null };
    const cause = { phase: "tls", length: 180, median: null, excess: 180, isUsual: false };
    assert.equal(slowCauseOf(lengths, medians, null), cause);
  });

  test("given Weir's own time with the largest excess, Weir is the cause", () => {
    assert.equal(slowCauseOf({ ...medians, ttfb: 110, weir: 40.25 }, medians, null), {
      phase: "weir",
      length: 40.25,
      median: 0.25,
      excess: 40,
      isUsual: false,
    });
  });

  test("given uncertain times, the slow request has a cause unless another phase may have taken as much", () => {
    const instants = { responseStart: 300 };
    const tally = tallyOf([10, 10, 10, 10, 10]);
    const causeOf = (uncertainty: number, responseStart = instants.responseStart) =>
      slowRequestOf(exchange({ end: 340, instants: { responseStart }, uncertainty }), 340, tally, null)?.cause?.phase ??
      null;
    assert.equal([causeOf(0), causeOf(19), causeOf(20), causeOf(200)], ["ttfb", "ttfb", "ttfb", null]);
    assert.equal([causeOf(0, 180), causeOf(19, 180), causeOf(20, 180)], ["ttfb", "ttfb", null]);
  });

  test("given instants that are wrong by less than the uncertainty, the cause stays or is unknown", () => {
    const length = fc.integer({ min: 1, max: 400 });
    const shift = fc.double({ min: -1, max: 1, noNaN: true });
    const none = { dns: null, connect: null, tls: null, weir: null };
    fc.assert(
      fc.property(length, length, length, length, shift, (ttfb, transfer, server, body, share) => {
        const uncertainty = 30;
        const usual = { ...none, ttfb: server, transfer: body };
        const causeOf = (by: number) =>
          slowCauseOf({ ...none, ttfb: ttfb + by, transfer: transfer - by }, usual, null, uncertainty);
        const [cause, other] = [causeOf(0), causeOf(share * Math.min(uncertainty, ttfb, transfer))];
        if (cause !== null && other !== null && cause.isUsual === other.isUsual) assert.is(other.phase, cause.phase);
      }),
      { numRuns: rounds(300) },
    );
  });

  test("given only phases that are shown as 0.0 ms, there is no cause", () => {
    const excess = fc.double({ min: 0, max: 0.0499, noNaN: true });
    const lengths = fc.record({ dns: excess, connect: excess, tls: excess, weir: excess });
    const none = { dns: 0, connect: 0, tls: 0, ttfb: 0, transfer: 0, weir: 0 };
    fc.assert(fc.property(lengths, (longer) => assert.is(slowCauseOf({ ...none, ...longer }, none, null), null)));
  });

  test("given a wait longer than any phase's excess, no phase is the cause", () => {
    const lengths = { dns: null, connect: null, tls: null, ttfb: 130, transfer: 10, weir: null };
    const waited = (to: number) => slowCauseOf(lengths, medians, { waitedFor: "connection", from: 10, to });
    assert.is(waited(40.1), null);
    assert.is(waited(40)?.phase, "ttfb");
  });

  test("given a wait for a connection that another exchange opened, states the wait and no cause", () => {
    const tally = tallyOf([10, 10, 10, 10, 10]);
    const instants = { requestStart: 320, responseStart: 338, responseEnd: 340 };
    const slow = slowRequestOf(exchange({ end: 340, waitedFor: "connection", instants }), 340, tally, null);
    assert.is(slow?.cause, null);
    assert.equal(slow?.wait, { waitedFor: "connection", from: 0, to: 320 });
  });

  test("given a slow request with a body, states how long the upload took", () => {
    const tally = tallyOf([10, 10, 10, 10, 10]);
    const instants = { requestStart: 0, requestEnd: 80 };
    const uploaded = (requestBodySize: number) =>
      slowRequestOf(exchange({ end: 100, instants, requestBodySize }), 100, tally, null)?.upload;
    assert.equal([uploaded(2_000), uploaded(0)], [80, null]);
  });
});
