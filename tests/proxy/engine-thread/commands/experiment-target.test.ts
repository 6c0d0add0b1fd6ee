import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { experimentTargetOf } from "../../../../extensions/proxy/engine-thread/commands/experiment-target.ts";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { type ExchangeSketch, exchange } from "../../../support/exchange.ts";

function recorded(sketches: readonly ExchangeSketch[]): Session {
  const session = new Session(undefined, new PathTemplates());
  for (const [index, sketch] of sketches.entries()) session.add(exchange({ end: 10, ...sketch, id: index + 1 }));
  return session;
}

function found(text: string, ...sketches: readonly ExchangeSketch[]): string {
  const target = experimentTargetOf(text, recorded(sketches));
  return target.ok ? `${target.value.method} ${target.value.origin}${target.value.path}` : target.problem;
}

describe("the target of an experiment", (test) => {
  test("given a recorded endpoint, finds it by its path and by its URL; queries do not matter", () =>
    fc.assert(
      fc.property(fc.constantFrom("GET", "POST"), fc.constantFrom("/v1/prices", "/a/b"), (method, path) => {
        const sketch = { method, origin: "https://api.test", target: `${path}?x=1` };
        const whole = `${method} https://api.test${path}`;
        assert.is(found(`${method} ${path}`, sketch), whole);
        assert.is(found(whole, sketch), whole);
      }),
    ));

  test("given a template, finds it", () => {
    const sketches = [1, 2, 3].map((id) => ({ target: `/items/${id}` }));
    assert.is(found("GET /items/{id}", ...sketches), "GET https://api.test/items/{id}");
  });

  test("given two servers with the path, asks for a URL", () => {
    const problem = found("GET /x", { target: "/x" }, { target: "/x", origin: "http://other.test" });
    assert.match(problem, /^2 servers have GET \/x\. Name one by its URL, such as "GET http/);
  });

  test("given a text that is no endpoint, an unknown one, a stream or an operation, says what to do", () => {
    assert.match(found("prices"), /is no endpoint/);
    assert.match(found("GET /v1/none", { target: "/v1/some" }), /has no request to GET \/v1\/none/);
    assert.match(found("GET /s", { target: "/s", tags: ["event-stream"] }), /no whole response/);
    assert.match(found("POST /g", { method: "POST", target: "/g", operation: "Cart" }), /operations/);
  });
});
