import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { experimentKeys, knownOrdersOf } from "../../../../src/engine/insights/links/experiment-orders.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf } from "../../../support/linked.ts";
import { rounds } from "../../../support/rounds.ts";
import { simulatedExperiment } from "../../../support/simulated-experiments.ts";

const at = (path: string) => `GET https://api.test${path}`;

describe("orders by experiment", (test) => {
  test("given experiments, knows what follows and what does not, with the figures, and nothing of the rest", () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(null, "127.0.0.1"), (seed, client) => {
        const { ended } = simulatedExperiment(
          seed,
          [
            { endpoint: at("/follows"), follows: 1, asked: 1 },
            { endpoint: at("/free"), follows: 0, asked: 1 },
            { endpoint: at("/partly"), follows: 0.5, asked: 1 },
          ],
          { client },
        );
        const known = knownOrdersOf([ended]);
        assert.equal(
          known.map(({ from, to, follows, client: own }) => [from, to, follows, own]),
          [
            [at("/prices"), at("/follows"), true, client],
            [at("/prices"), at("/free"), false, client],
          ],
        );
        assert.match(known[0]?.figures ?? "", /each ms costs .* 30 loads$/);
        // Computed once.
        assert.is(knownOrdersOf([ended])[0], known[0]);
      }),
      { numRuns: rounds(5) },
    );
  });

  test("given requests whose paths are grouped otherwise by now, finds their endpoints, the literal one first", () => {
    const { ended } = simulatedExperiment(
      1,
      ["/orders/{id}", "/orders/latest", "/names"].map((path) => ({ endpoint: at(path), follows: 1, asked: 1 })),
    );
    const keys = experimentKeys([ended]);
    const found = (target: string, more: object = {}) =>
      factsOf([{ target, at: 0, ...more }]).map(({ facts }) => keys(facts));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,12}$/), (id) => {
        assert.equal(found(`/orders/${id}?page=${id}`), [at(id === "latest" ? "/orders/latest" : "/orders/{id}")]);
        assert.equal(found(`/others/${id}`), [""]);
        assert.equal(found(`/orders/${id}/lines`), [""]);
      }),
    );
    assert.equal(found("/orders/latest"), [at("/orders/latest")]);
    assert.equal(found("/names?a=1"), [at("/names")]);
    assert.equal(found("/prices"), [at("/prices")]);
    assert.equal(found("/names", { method: "PUT" }), [""]);
    assert.equal(found("/names", { origin: "https://other.test" }), [""]);
  });
});
