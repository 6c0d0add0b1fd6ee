import * as assert from "uvu/assert";
import { eventArrivalsIn, initiatorsIn } from "../../../src/engine/interchange/har-extras.ts";
import { describe } from "../../support/describe.ts";

describe("what a HAR file says of causes and events", (test) => {
  test("gives the URLs of a script's stack, the nearest first, then those of the stack that scheduled it", () => {
    const frames = (...urls: readonly string[]) => urls.map((url) => ({ url, lineNumber: 1 }));
    const stack = {
      callFrames: frames("https://a.test/x.js#f", "", "https://a.test/x.js"),
      parent: { callFrames: frames("https://a.test/y.js") },
    };
    assert.equal(initiatorsIn({ _initiator: { type: "script", stack } }), [
      "https://a.test/x.js",
      "https://a.test/y.js",
    ]);
    assert.equal(initiatorsIn({ _initiator: { type: "parser", url: "https://a.test/" } }), ["https://a.test/"]);
  });

  test("given the initiator as a URL, gives it first, then those of its detail", () => {
    const detail = JSON.stringify({ type: "script", stack: { callFrames: [{ url: "https://a.test/y.js" }] } });
    const initiator = { _initiator: "https://a.test/x.js#f", _initiator_type: "script" };
    assert.equal(initiatorsIn(initiator), ["https://a.test/x.js"]);
    assert.equal(initiatorsIn({ ...initiator, _initiator_detail: detail }), [
      "https://a.test/x.js",
      "https://a.test/y.js",
    ]);
    assert.equal(initiatorsIn({ _initiator_detail: detail }), ["https://a.test/y.js"]);
    for (const cut of ["{", "", "null", "[]", "7"])
      assert.equal(initiatorsIn({ ...initiator, _initiator_detail: cut }), ["https://a.test/x.js"]);
  });

  test("given no initiator, nonsense or an extension's script, gives none", () => {
    for (const entry of [
      {},
      null,
      { _initiator: 1 },
      { _initiator: { type: "other" } },
      { _initiator: { url: "chrome-extension://x/y.js" } },
    ])
      assert.equal(initiatorsIn(entry), []);
  });

  test("gives when events arrived, in epoch milliseconds", () => {
    assert.equal(
      eventArrivalsIn({ _eventSourceMessages: [{ time: 1.5 }, { time: "x" }, { time: 2 }] }, 1_000, 2_500),
      [1_500, 2_000],
    );
    assert.is(eventArrivalsIn({}, 0, 1), null);
  });

  test("gives no arrivals where an event lies outside the exchange", () => {
    const hour = 3_600_000;
    for (const start of [hour, -hour])
      assert.equal(eventArrivalsIn({ _eventSourceMessages: [{ time: 1.5 }, { time: 2 }] }, start, start + 5_000), []);
    assert.equal(eventArrivalsIn({ _eventSourceMessages: [{ time: 1.5 }] }, 1_400, Number.POSITIVE_INFINITY), [1_500]);
  });
});
