import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExperimentState } from "../../../src/engine/messages/experiment-messages.ts";
import { endpointAt, partsOf } from "../../../src/engine/model/endpoint.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { experimentButtonOf, experimentVerdictOf } from "../../../src/ui/views/experiment-wish.ts";
import { describe } from "../../support/describe.ts";

const METHODS = ["GET", "POST", "PURGE"];
const segments = fc.array(fc.stringMatching(/^(?:[a-z0-9]{1,8}|\{id\})$/), { minLength: 1, maxLength: 4 });
const endpoints = fc.record({
  method: fc.constantFrom(...METHODS),
  origin: fc.constantFrom("https://api.test", "http://10.0.0.7:8443"),
  path: segments.map((all) => `/${all.join("/")}`),
});
const exchanges = fc.option(fc.nat().map((id) => id as ExchangeId));

describe("experiment button of an endpoint", (test) => {
  test("given an endpoint, asks for it and for the exchange's client", () =>
    fc.assert(
      fc.property(endpoints, exchanges, (endpoint, exchange) => {
        const { wish, title } = experimentButtonOf({ ...endpoint, operation: null }, exchange);
        assert.equal(wish && partsOf(wish.endpoint), { ...endpoint, operation: null });
        assert.is(wish?.exchange, exchange);
        assert.match(title, /^Find out by an experiment/);
      }),
    ));

  test("given an operation or a stream, asks for nothing and says why", () =>
    fc.assert(
      fc.property(endpoints, exchanges, fc.string({ minLength: 1 }), (endpoint, exchange, operation) => {
        const ofOne = experimentButtonOf({ ...endpoint, operation }, exchange);
        assert.equal([ofOne.wish, ofOne.title], [null, "One operation of a path cannot be held back yet"]);
        const ofStream = experimentButtonOf({ ...endpoint, operation: null }, exchange, true);
        assert.equal([ofStream.wish, ofStream.title], [null, "Streams cannot be held back, only whole responses"]);
      }),
    ));
});

describe("experiment verdict beside an endpoint", (test) => {
  test("given the latest experiment, is shown for its endpoint alone, once it has ended", () =>
    fc.assert(
      fc.property(endpoints, endpoints, (one, other) => {
        const result = { end: "enough", text: "On the critical path." } as const;
        const state = { target: { ...one, operation: null }, result } as unknown as ExperimentState;
        const said = (parts: typeof one, now: ExperimentState | null) =>
          experimentVerdictOf(endpointAt(parts.method, parts.origin, parts.path, null), now);
        assert.is(said(one, state), "Experiment: On the critical path.");
        assert.is(said(one, { ...state, result: null }), "");
        assert.is(said(one, null), "");
        assert.is(experimentVerdictOf(null, state), "");
        const isSame = Object.values(one).join() === Object.values(other).join();
        assert.is(said(other, state) !== "", isSame);
      }),
    ));
});
