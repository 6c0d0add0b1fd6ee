import * as assert from "uvu/assert";
import { EndpointNumbers } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

describe("insight evaluator", (test) => {
  test("given many endpoints, computes them in slices, each once until it changes", () => {
    const asked = Array.from({ length: 100 }, (_, index) => exchange({ id: index + 1, target: `/${index}` }));
    const session = recorded(asked);
    const computed: number[] = [];
    const numbers = new EndpointNumbers(session, (endpoint) => {
      computed.push(endpoint);
      return 10 * endpoint;
    });
    assert.equal([numbers.advance(40), computed.length], [false, 40]);
    assert.equal([numbers.advance(40), computed.length], [false, 80]);
    assert.equal([numbers.advance(40), computed.length], [true, 100]);
    assert.equal([numbers.advance(40), computed.length], [true, 100]);
    assert.equal(
      [...numbers.all()].slice(1),
      asked.map((_, index) => 10 * (index + 1)),
    );
    assert.is(computed.length, 100);
    session.apply(eventsOf(exchange({ id: 101, target: "/7" })));
    assert.is(numbers.all().length, 101);
    assert.equal(computed.slice(100), [8]);
  });
});
