import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { statedLifetimeOf } from "../../../../src/engine/insights/facts/stated-lifetime.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";

const encoded = (claims: unknown) => Buffer.from(JSON.stringify(claims)).toString("base64url");

describe("the lifetime that a body states", (test) => {
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
