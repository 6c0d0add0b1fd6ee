import * as assert from "uvu/assert";
import { type Instants, latencyOf, overheadOf, PHASES, phasesOf, uploadOf } from "../../../src/engine/model/phases.ts";
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
  test("the seed's five, in their order: DNS, Connect, TLS, TTFB, Transfer", () => {
    assert.equal(PHASES, ["dns", "connect", "tls", "ttfb", "transfer"]);
    assert.equal(phasesOf(instantsOf()), { dns: 10, connect: 20, tls: 30, ttfb: 86, transfer: 50 });
  });

  test("a phase that did not happen is absent, never 0", () => {
    const reused = phasesOf(instantsOf(NOT_CONNECTED));
    assert.equal(reused, { dns: null, connect: null, tls: null, ttfb: 86, transfer: 50 });
    const plain = phasesOf(instantsOf({ secureConnectionStart: null }));
    assert.equal([plain.connect, plain.tls], [50, null]);
    const unanswered = phasesOf(instantsOf({ responseStart: null, responseEnd: null }));
    assert.equal([unanswered.ttfb, unanswered.transfer], [null, null]);
    assert.is(phasesOf(instantsOf({ domainLookupStart: 103, domainLookupEnd: 103 })).dns, 0);
  });

  test("latency: first byte of the request head received by the proxy → last byte of the response relayed", () => {
    assert.is(latencyOf(instantsOf()), 200);
    assert.is(latencyOf(instantsOf({ responseEnd: null })), null);
  });

  test("request upload is part of TTFB, shown apart", () => {
    assert.is(uploadOf(instantsOf()), 10);
    assert.is(uploadOf(instantsOf({ requestEnd: null })), null);
    assert.is(phasesOf(instantsOf({ requestEnd: 240 })).ttfb, phasesOf(instantsOf()).ttfb);
  });
});

describe("proxy overhead", (test) => {
  test("request head in → head out, minus dns, connect and tls, plus first response byte in → out", () => {
    assert.is(overheadOf(instantsOf(), null), 164 - 102 - (10 + 20 + 30) + (252 - 250));
    assert.is(overheadOf(instantsOf({ ...NOT_CONNECTED, requestStart: 105 }), null), 3 + 2);
  });

  test("a slow reader is not our overhead, nor is a slow server", () => {
    assert.is(overheadOf(instantsOf({ responseEnd: 9_000 }), null), overheadOf(instantsOf(), null));
    const slow = instantsOf({ responseStart: 5_250, responseForwarded: 5_252, responseEnd: 5_300 });
    assert.is(overheadOf(slow, null), overheadOf(instantsOf(), null));
  });

  test("waiting for what others do is not our overhead", () => {
    const kept = instantsOf({ ...NOT_CONNECTED, requestStart: 205 });
    assert.is(overheadOf(kept, { from: 2, to: 105 }), 2);
    assert.is(overheadOf(kept, null), 103 + 2);
  });

  test("it is not known of what was never sent on or never answered", () => {
    assert.is(overheadOf(instantsOf({ requestStart: null }), null), null);
    assert.is(overheadOf(instantsOf({ responseForwarded: null }), null), null);
  });
});
