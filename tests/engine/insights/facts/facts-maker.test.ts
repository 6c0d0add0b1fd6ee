import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isApplicationError, statedLifetimeOf } from "../../../../src/engine/insights/facts/facts-maker.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf } from "../../../support/linked.ts";

describe("exchange facts", (test) => {
  test("given an exchange, returns lower-case fields with duplicates, decoded query pairs and the endpoint's template", () => {
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

  test("given many GraphQL operations, keeps one endpoint per operation and one for all beyond the first 200", () => {
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

  test(
    "given 20,000 exchanges, returns each exchange's facts whatever was read since",
    () => {
      const made = factsOf(Array.from({ length: 20_000 }, (_, index) => ({ at: index, target: `/${index}` })));
      for (const index of [0, 19_999, 16_384, 0]) assert.is(made[index]?.facts.exchange.id, index + 1);
    },
    { isLong: true },
  );
});

describe("errors reported in a body", (test) => {
  test("given GraphQL errors, in one answer or in a batch, sees them; an empty list is none", () => {
    assert.ok(isApplicationError("graphql", [], '{"data":null,"errors":[{"message":"no"}]}'));
    assert.ok(isApplicationError("graphql", [], '[{"data":{}},{"errors":[{"message":"no"}]}]'));
    assert.not.ok(isApplicationError("graphql", [], '{"data":{},"errors":[]}'));
    assert.not.ok(isApplicationError(null, [], '{"errors":[{"message":"no"}]}'));
  });

  test("given JSON-RPC, sees its error; a null one is none", () => {
    assert.ok(isApplicationError("json-rpc", [], '{"jsonrpc":"2.0","error":{"code":-32600}}'));
    assert.not.ok(isApplicationError("json-rpc", [], '{"jsonrpc":"2.0","result":1,"error":null}'));
  });

  test("given a grpc-status, sees all but 0 as errors", () => {
    const status = (value: string) => isApplicationError(null, [{ name: "grpc-status", value }], "");
    assert.equal([status("0"), status("14")], [false, true]);
  });
});

const encoded = (claims: unknown) => Buffer.from(JSON.stringify(claims)).toString("base64url");

describe("token lifetime in a body", (test) => {
  test("given expires_in or a token's exp, gives the shortest in ms", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 1e8 }), fc.integer({ min: 1, max: 1e8 }), (inSeconds, later) => {
        const received = 1_750_000_000_000 as Instant;
        const token = `${encoded({ alg: "RS256", typ: "JWT" })}.${encoded({ exp: received / 1_000 + later, name: "ñ>?" })}.c2ln`;
        assert.is(statedLifetimeOf(`{"expires_in": ${inSeconds}}`, received), inSeconds * 1_000);
        assert.is(statedLifetimeOf(`{"expiresIn":"${inSeconds}"}`, received), inSeconds * 1_000);
        assert.is(statedLifetimeOf(`{"id_token":"${token}"}`, received), later * 1_000);
        const both = `{"a":{"token":"${token}"},"expires_in":${inSeconds}}`;
        assert.is(statedLifetimeOf(both, received), Math.min(inSeconds, later) * 1_000);
      }),
    );
  });

  test("given neither, malformed tokens, or other numbers, gives null", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer(), (text, number) => {
        const bodies = [
          text,
          `{"eyJ":${number}}`,
          JSON.stringify({ token: `eyJ${text}.${text}` }),
          '{"expires_in":"soon"}',
        ];
        for (const body of bodies) assert.is(statedLifetimeOf(body, 0 as Instant), null);
      }),
    );
    assert.is(statedLifetimeOf(`{"t":"eyJhIjoxfQ.${encoded({ sub: "x" })}.c2ln"}`, 0 as Instant), null);
    assert.is(statedLifetimeOf(`{"t":"eyJhIjoxfQ.%%%.c2ln"}`, 0 as Instant), null);
  });
});
