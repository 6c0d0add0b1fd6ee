import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { factsOf } from "../../../support/linked.ts";

describe("facts of exchanges", (test) => {
  test("gives fields in lower case with duplicates, decoded query pairs and the endpoint's template", () => {
    const [made] = factsOf([
      {
        at: 0,
        target: "/users/7?q=a+b%26&q=2&flag",
        sends: ["Accept: x", "COOKIE: a=1", "cookie: b=2"],
        gives: ["Age: 3"],
      },
    ]);
    assert.equal(made?.facts.requestFields, [
      { name: "accept", value: "x" },
      { name: "cookie", value: "a=1" },
      { name: "cookie", value: "b=2" },
    ]);
    assert.equal(made?.facts.responseFields, [{ name: "age", value: "3" }]);
    assert.equal(made?.facts.query, [
      ["q", "a b&"],
      ["q", "2"],
      ["flag", ""],
    ]);
    assert.equal(made?.facts.endpoint, {
      method: "GET",
      origin: "https://api.test",
      path: "/users/{id}",
      operation: null,
    });
  });

  test("gives one endpoint for all requests of one operation, and one for those beyond the two-hundredth", () => {
    const asked = Array.from({ length: 220 }, (_, index) => ({
      at: index,
      method: "POST",
      target: "/graphql",
      body: JSON.stringify({ query: `query Q${index % 210} { x }` }),
    }));
    const endpoints = factsOf(asked).map(({ facts }) => facts.endpoint);
    assert.is(endpoints[0], endpoints[210]);
    assert.is(new Set(endpoints).size, 201);
    assert.is(endpoints[205]?.operation, "(other operations)");
  });

  test("gives the exchange again, however many were looked at since", () => {
    const made = factsOf(Array.from({ length: 40_000 }, (_, index) => ({ at: index, target: `/${index}` })));
    for (const index of [0, 39_999, 16_384, 0]) assert.is(made[index]?.facts.exchange.id, index + 1);
  });
});
