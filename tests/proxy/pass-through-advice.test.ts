import * as assert from "uvu/assert";
import { adviceFor, PassThroughAdvice } from "../../extensions/proxy/pass-through-advice.ts";
import type { ErrorType } from "../../src/engine/model/exchange.ts";
import { eventsOf } from "../support/capture.ts";
import { describe } from "../support/describe.ts";
import { exchange } from "../support/exchange.ts";

function failed(errorType: ErrorType) {
  return eventsOf(
    exchange({ id: 1, start: 0, end: 1, outcome: { kind: "failed", errorType, detail: "", status: null } }),
  );
}

describe("pass-through advice", (test) => {
  test("comes with the third rejection of a host, once, and for that host alone", () => {
    const advice = new PassThroughAdvice();
    const take = (origin: string) => advice.take(failed("client-rejected-certificate"), () => origin);
    const origins = ["https://a.test", "https://b.test:8443", "https://a.test", "https://a.test", "https://a.test"];
    assert.equal(origins.map(take), [[], [], [], ["a.test"], []]);
    assert.equal(take("https://b.test:8443"), []);
    assert.equal(take("https://b.test"), ["b.test"]);
    assert.equal(take("https://[::1]:1"), []);
  });

  test("no other trouble counts", () => {
    const advice = new PassThroughAdvice();
    const failures = Array.from({ length: 5 }, () => failed("client-tls-failed")).flat();
    assert.equal(
      advice.take(failures, () => "https://a.test"),
      [],
    );
  });

  test("is over when the host is passed through", () => {
    const advice = new PassThroughAdvice();
    const rejections = Array.from({ length: 3 }, () => failed("client-rejected-certificate")).flat();
    advice.take(rejections, () => "https://a.test");
    assert.equal(advice.followed(["b.test"]), []);
    assert.equal(advice.followed(["*.test"]), ["a.test"]);
    assert.match(adviceFor("a.test"), "add a.test to Settings, Capture: “Pass through”");
  });
});
