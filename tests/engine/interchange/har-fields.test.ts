import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { initiatorsIn, keptFieldsOf } from "../../../src/engine/interchange/har-fields.ts";
import { describe } from "../../support/describe.ts";

describe("browser fields of a HAR entry", (test) => {
  test("given a script's call stack, returns its URLs, nearest first, then those of the parent stack", () => {
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

  test("given an entry, keeps how and why it was sent as it is, and nothing else", () => {
    const kept = { _initiator: { type: "parser", url: "https://a.test/" }, _priority: "High", _resourceType: "script" };
    assert.equal(keptFieldsOf({ ...kept, time: 5, _error: "x", _initiator_type: null }), kept);
    assert.is(keptFieldsOf({ time: 5 }), null);
  });

  test("given a long initiator, keeps its URLs, and the links that they prove", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 8 }), (numbers) => {
        const functionName = "f".repeat(20_000);
        const callFrames = numbers.map((number) => ({ functionName, url: `https://a.test/${number}.js` }));
        const entry = { _priority: "Low", _initiator: { type: "script", stack: { callFrames } } };
        const kept = keptFieldsOf(entry);
        assert.equal(initiatorsIn(kept), initiatorsIn(entry));
        assert.is(kept?.["_priority"], "Low");
        assert.ok(JSON.stringify(kept).length <= 64 * 1024);
      }),
    );
    assert.is(keptFieldsOf({ _priority: "x".repeat(70_000) }), null);
  });
});
