import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { claimsOf } from "../../../../src/engine/insights/facts/web-token.ts";
import { describe } from "../../../support/describe.ts";

const part = (text: string) => Buffer.from(text).toString("base64url");

describe("JSON Web Token claims", (test) => {
  test("given any claims, has them; given a payload that is no object, or no token, has none", () => {
    const claims = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { noNullPrototype: true });
    fc.assert(
      fc.property(claims, fc.nat(9), (drawn, spaces) => {
        const token = `${part('{"alg":"HS256"}')}.${part(JSON.stringify(drawn, null, spaces))}.sig-_`;
        assert.equal(claimsOf(token), JSON.parse(JSON.stringify(drawn)));
      }),
    );
    const head = part('{"alg":"none"}');
    for (const value of [
      "",
      "eyJ",
      head,
      `${head}.e30`,
      `${head}.${part("[1]")}.s`,
      `${head}.%%.s`,
      `${head}.e30.s.t.u`,
    ])
      assert.is(claimsOf(value), null, value);
    assert.equal(claimsOf(`${head}.e30.`), {});
  });
});
