import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { largestPhaseOf, phaseTimesOf } from "../../../../src/engine/insights/where/phase-times.ts";
import type { Instants } from "../../../../src/engine/model/phases.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";

/** All phases of one exchange, in ms; Weir took 2 ms before and 1 ms after the server. */
const WHOLE = exchange({
  start: 0,
  end: 101,
  waitedFor: "connection",
  instants: {
    headReceived: 0,
    domainLookupStart: 10,
    domainLookupEnd: 20,
    connectStart: 20,
    secureConnectionStart: 35,
    connectEnd: 50,
    requestStart: 52,
    requestEnd: 53,
    responseStart: 90,
    responseForwarded: 91,
    responseEnd: 101,
  },
});

const timesOf = (made: Parameters<typeof phaseTimesOf>[0], from: number, to: number) =>
  Object.fromEntries([...phaseTimesOf(made, from * 1_000, to * 1_000)].map(([phase, time]) => [phase, time / 1_000]));

describe("phase times", (test) => {
  test("given a whole exchange, names each phase with its time", () => {
    assert.equal(timesOf(WHOLE, 0, 101), {
      queued: 10,
      dns: 10,
      connect: 15,
      tls: 15,
      weir: 3,
      ttfb: 38,
      transfer: 10,
    });
  });

  test("given the browser's own queue, it is told apart from a wait for a connection", () => {
    const made = exchange({ end: 80, waitedFor: "browser", instants: { headReceived: 30, requestStart: 30 } });
    assert.is(timesOf(made, 0, 80)["browser"], 30);
    assert.is(timesOf(made, 0, 80)["queued"], undefined);
  });

  test("given a body of 16 KB, or one that comes 5 ms late, its upload is told apart from the server's time", () => {
    const times = (requestBodySize: number, requestEnd: number) => {
      const instants = { headReceived: 0, requestStart: 0, requestEnd, responseStart: 80 };
      return timesOf(exchange({ end: 100, requestBodySize, instants }), 0, 80);
    };
    const late = fc.integer({ min: 5, max: 79 });
    const prompt = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), late, prompt, (size, sent, soon) => {
        assert.equal(times(size, sent), { upload: sent, ttfb: 80 - sent });
        assert.equal(times(size, soon), size < 16 * 1024 ? { ttfb: 80 } : { upload: soon, ttfb: 80 - soon });
      }),
    );
  });

  test("given a server that answers before it has read the body, its time begins with the end of the upload", () => {
    const instants = { headReceived: 0, requestStart: 0, requestEnd: 90, responseStart: 30, responseForwarded: 30 };
    const times = timesOf(exchange({ end: 100, requestBodySize: 20_000, instants }), 0, 100);
    assert.is(
      Object.values(times).reduce((sum, time) => sum + time, 0),
      100,
    );
    assert.is(times["ttfb"], undefined);
  });

  test("given a part of it, counts what overlaps the part", () => {
    assert.equal(timesOf(WHOLE, 15, 60), { dns: 5, connect: 15, tls: 15, weir: 2, ttfb: 8 });
  });

  for (const [phase, instants] of [
    ["dns", { domainLookupStart: 5 }],
    ["connect", { connectStart: 5 }],
    ["tls", { connectStart: 5, secureConnectionStart: 5 }],
    ["ttfb", { requestStart: 5, requestEnd: 6 }],
    ["transfer", { requestStart: 5, requestEnd: 5, responseStart: 5, responseForwarded: 5 }],
  ] as const)
    test(`given a failure during ${phase}, that phase lasts until the end`, () => {
      const none = { requestStart: null, requestEnd: null, responseStart: null, responseForwarded: null };
      const failed = exchange({
        end: 1_000,
        outcome: { kind: "failed", errorType: "server-reset", detail: "", status: null },
        instants: { ...none, headReceived: null, responseEnd: null, ...instants },
      });
      assert.equal(timesOf(failed, 0, 1_000), { other: 5, [phase]: 995 });
    });

  test("given a HAR file of another program, time without a phase is not Weir's", () => {
    const made = exchange({ end: 100, tags: ["imported"], instants: { requestStart: 40, responseForwarded: null } });
    assert.equal(timesOf(made, 0, 100), { other: 40, ttfb: 60 });
  });

  test("given any instants, the phases add up to the part", () => {
    const instant = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
    const instants = fc.record<Record<Exclude<keyof Instants, "released">, number | null>>({
      startTime: fc.constant(0),
      headReceived: instant,
      domainLookupStart: instant,
      domainLookupEnd: instant,
      connectStart: instant,
      secureConnectionStart: instant,
      connectEnd: instant,
      requestStart: instant,
      requestEnd: instant,
      responseStart: instant,
      responseForwarded: instant,
      responseEnd: instant,
    });
    fc.assert(
      fc.property(instants, fc.nat(100_000), fc.nat(100_000), (drawn, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const times = [...phaseTimesOf(exchange({ end: 100, instants: drawn }), from, to).values()];
        assert.is(
          times.reduce((sum, time) => sum + time, 0),
          to - from,
        );
        assert.ok(times.every((time) => time > 0 && Number.isInteger(time)));
      }),
    );
  });

  test("given phases, the largest is the one with the most time", () => {
    assert.equal(largestPhaseOf(phaseTimesOf(WHOLE, 0, 101_000)), { phase: "ttfb", time: 38_000 });
    assert.equal(largestPhaseOf(new Map()), { phase: "other", time: 0 });
  });
});
