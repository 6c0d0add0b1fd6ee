import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { timedLatencyOf } from "../../../src/engine/model/exchange.ts";
import {
  heldOf,
  type Instants,
  latencyOf,
  overheadOf,
  PHASES,
  phasesOf,
  slowedStretchesOf,
  slowedTimeOf,
  spansOf,
  uploadOf,
  WAITED_FOR,
  type WaitedFor,
  waitOf,
} from "../../../src/engine/model/phases.ts";
import { anyExchanges } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

/** An exchange over a new connection with TLS. */
const NEW = {
  headReceived: 102,
  domainLookupStart: 103,
  domainLookupEnd: 113,
  connectStart: 113,
  secureConnectionStart: 133,
  connectEnd: 163,
  requestStart: 164,
  requestEnd: 174,
  responseStart: 250,
  responseForwarded: 252,
  responseEnd: 300,
};

const instantsOf = (changes: Partial<Record<keyof Instants, number | null>> = {}): Instants =>
  exchange({ start: 100, end: 300, instants: { ...NEW, ...changes } }).instants;

const NOT_CONNECTED = {
  domainLookupStart: null,
  domainLookupEnd: null,
  connectStart: null,
  secureConnectionStart: null,
  connectEnd: null,
};

describe("phases", (test) => {
  test("given all instants, returns DNS, Connect, TLS, TTFB and Transfer in order, then Weir's own time", () => {
    assert.equal(PHASES, ["dns", "connect", "tls", "ttfb", "transfer", "weir"]);
    assert.equal(phasesOf(instantsOf()), { dns: 10, connect: 20, tls: 30, ttfb: 86, transfer: 48, weir: 4 });
  });

  test("given a phase that did not happen, its length is null, not 0", () => {
    const reused = phasesOf(instantsOf(NOT_CONNECTED));
    assert.equal(reused, { dns: null, connect: null, tls: null, ttfb: 86, transfer: 48, weir: 64 });
    const plain = phasesOf(instantsOf({ secureConnectionStart: null }));
    assert.equal([plain.connect, plain.tls], [50, null]);
    const unanswered = phasesOf(instantsOf({ responseStart: null, responseEnd: null }));
    assert.equal([unanswered.ttfb, unanswered.transfer], [null, null]);
    assert.is(phasesOf(instantsOf({ domainLookupStart: 103, domainLookupEnd: 103 })).dns, 0);
  });

  test("given a relayed response, latency runs from the head's first byte received to the last byte relayed", () => {
    assert.is(latencyOf(instantsOf()), 200);
    assert.is(latencyOf(instantsOf({ responseEnd: null })), null);
  });

  test("given a response held on purpose, the held time is a segment of its own, and TTFB is what the server took", () =>
    fc.assert(
      fc.property(fc.nat(2_000), (held) => {
        const [forwarded, end] = [252 + held, 300 + held];
        const instants = instantsOf({ released: 250 + held, responseForwarded: forwarded, responseEnd: end });
        assert.equal(phasesOf(instants), phasesOf(instantsOf()));
        assert.equal([heldOf(instants), latencyOf(instants)], [held, 200 + held]);
        assert.ok(
          spansOf(instants).some(({ phase, from, to }) => phase === "held" && to - from === held && from === 150),
        );
        assert.is(heldOf(instantsOf()), null);
      }),
    ));

  test("given an upload, its time is part of TTFB and is also returned separately", () => {
    assert.is(uploadOf(instantsOf()), 10);
    assert.is(uploadOf(instantsOf({ requestEnd: null })), null);
    assert.is(phasesOf(instantsOf({ requestEnd: 240 })).ttfb, phasesOf(instantsOf()).ttfb);
  });
});

describe("phases, waiting and Weir's own time", (test) => {
  const length = fc.double({ min: 0, max: 5_000, noNaN: true });
  const maybe = fc.option(length);

  test("given any lengths, phases, wait and head arrival add up to the latency and spans never overlap", () => {
    const drawn = fc.record({
      head: length,
      waited: maybe,
      dns: maybe,
      connect: maybe,
      tls: length,
      isSecure: fc.boolean(),
      gaps: fc.tuple(length, length, length),
      ttfb: length,
      purpose: maybe,
      held: length,
      transfer: length,
    });
    fc.assert(
      fc.property(drawn, (made) => {
        const { instants, wait } = drawnExchange(made);
        const phases = Object.values(phasesOf(instants, wait)).map((one) => one ?? 0);
        const waited = wait === null ? 0 : wait.to - wait.from;
        const sum = phases.reduce((all, one) => all + one, made.head + waited + (heldOf(instants) ?? 0));
        assert.ok(Math.abs(sum - (latencyOf(instants) ?? Number.NaN)) < 1e-6, `${sum} of ${latencyOf(instants)}`);
        const spans = spansOf(instants, wait);
        for (const [index, { from }] of spans.entries()) assert.ok(from >= (spans[index - 1]?.to ?? 0) - 1e-6);
        const own = spans.filter(({ phase }) => phase === "weir").reduce((all, { from, to }) => all + to - from, 0);
        assert.ok(Math.abs(own - (phasesOf(instants, wait).weir ?? Number.NaN)) < 1e-6);
      }),
    );
  });

  test("given a connection opened before the head arrived, does not deduct that time from Weir's own time", () => {
    const early = instantsOf({ headReceived: 150, requestStart: 164 });
    assert.is(overheadOf(early, null), 164 - 163 + 2);
    const earlier = instantsOf({ headReceived: 163.5 });
    assert.is(overheadOf(earlier, null), 0.5 + 2);
  });
});

/** The instants of an exchange whose consecutive phases have these lengths. */
function drawnExchange(made: {
  readonly head: number;
  readonly waited: number | null;
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number;
  readonly isSecure: boolean;
  readonly gaps: readonly [number, number, number];
  readonly ttfb: number;
  readonly purpose: number | null;
  readonly held: number;
  readonly transfer: number;
}) {
  let now = 100;
  const after = (passed: number) => {
    now += passed;
    return now;
  };
  const isOpened = made.connect !== null;
  const headReceived = after(made.head);
  const wait = made.waited === null ? null : { from: headReceived - 100, to: after(made.waited) - 100 };
  const lookedUp = made.dns === null ? null : [after(made.gaps[0]), after(made.dns)];
  const connectStart = isOpened ? after(made.gaps[1]) : null;
  const connected = isOpened ? after(made.connect ?? 0) : null;
  const secureConnectionStart = isOpened && made.isSecure ? connected : null;
  const connectEnd = isOpened && made.isSecure ? after(made.tls) : connected;
  const requestStart = after(made.gaps[2]);
  const responseStart = after(made.ttfb);
  const released = made.purpose === null ? {} : { released: after(made.purpose) };
  const responseForwarded = after(made.held);
  const instants = instantsOf({
    headReceived,
    connectStart,
    secureConnectionStart,
    connectEnd,
    requestStart,
    requestEnd: requestStart,
    domainLookupStart: lookedUp?.[0] ?? null,
    domainLookupEnd: lookedUp?.[1] ?? null,
    responseStart,
    responseForwarded,
    responseEnd: after(made.transfer),
    ...released,
  });
  return { instants, wait };
}

describe("proxy overhead", (test) => {
  test("given all instants, overhead is head in to head out minus connecting, plus first response byte in to out", () => {
    assert.is(overheadOf(instantsOf(), null), 164 - 102 - (10 + 20 + 30) + (252 - 250));
    assert.is(overheadOf(instantsOf({ ...NOT_CONNECTED, requestStart: 105 }), null), 3 + 2);
  });

  test("given a slow reader or a slow server, the overhead does not change", () => {
    assert.is(overheadOf(instantsOf({ responseEnd: 9_000 }), null), overheadOf(instantsOf(), null));
    const slow = instantsOf({ responseStart: 5_250, responseForwarded: 5_252, responseEnd: 5_300 });
    assert.is(overheadOf(slow, null), overheadOf(instantsOf(), null));
  });

  test("given a wait for others, does not count it as overhead", () => {
    const kept = instantsOf({ ...NOT_CONNECTED, requestStart: 205 });
    assert.is(overheadOf(kept, { from: 2, to: 105 }), 2);
    assert.is(overheadOf(kept, null), 103 + 2);
  });

  test("given a request never sent or never answered, the overhead is null", () => {
    assert.is(overheadOf(instantsOf({ requestStart: null }), null), null);
    assert.is(overheadOf(instantsOf({ responseForwarded: null }), null), null);
  });
});

const waited = (waitedFor: WaitedFor | null, instants: Record<string, number | null>) =>
  waitOf(exchange({ start: 100, end: 500, waitedFor, instants }));

describe("waiting before the first phase", (test) => {
  test("given a wait for a stream or connection, it runs from the head's arrival to the first phase", () => {
    const [headReceived, requestStart] = [102, 160];
    assert.equal(waited("stream", { headReceived, requestStart }), { waitedFor: "stream", from: 2, to: 60 });
    const dialled = { headReceived, connectStart: 140, connectEnd: 150, requestStart };
    assert.equal(waited("connection", dialled), { waitedFor: "connection", from: 2, to: 40 });
    assert.is(waited("connection", { ...dialled, domainLookupStart: 130, domainLookupEnd: 140 })?.to, 30);
  });

  test("given a wait in the browser's queue, it runs from start to head and is not part of the latency", () => {
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

  test("given no stated wait, returns none, however late the request was sent", () => {
    assert.is(waited(null, { requestStart: 400 }), null);
  });

  test("given a failed wait that reached no phase, it runs to the exchange's end", () => {
    const none = { headReceived: 101, requestStart: null, responseStart: null, responseEnd: null };
    assert.equal(waited("connection", none), { waitedFor: "connection", from: 1, to: 400 });
    assert.is(waitOf(exchange({ end: null, waitedFor: "connection", instants: { requestStart: null } })), null);
  });

  test("given any exchange, the wait has a positive length and names what was waited for", () => {
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

describe("phase spans", (test) => {
  test("given all instants, spans of phases and of Weir's own time are relative to the exchange's start", () => {
    const { instants } = exchange({
      start: 100,
      end: 190,
      instants: {
        headReceived: 101,
        connectStart: 105,
        secureConnectionStart: 110,
        connectEnd: 130,
        requestStart: 131,
        responseStart: 180,
        responseForwarded: 183,
      },
    });
    assert.equal(spansOf(instants), [
      { phase: "weir", from: 1, to: 5 },
      { phase: "connect", from: 5, to: 10 },
      { phase: "tls", from: 10, to: 30 },
      { phase: "weir", from: 30, to: 31 },
      { phase: "ttfb", from: 31, to: 80 },
      { phase: "weir", from: 80, to: 83 },
      { phase: "transfer", from: 83, to: 90 },
    ]);
  });
});

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
