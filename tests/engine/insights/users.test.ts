import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Users } from "../../../src/engine/insights/users.ts";
import { describe } from "../../support/describe.ts";
import { factsOf, type Talk } from "../../support/linked.ts";

/** The user of each exchange, in order. */
function usersOf(talks: readonly Talk[]): readonly string[] {
  const users = new Users();
  const all = factsOf(talks).map(({ facts }) => facts);
  for (const facts of all) users.learn(facts);
  return all.map((facts) => users.userOf(facts));
}

const token = fc.stringMatching(/^[a-z\d]{8,24}$/);
const header = fc.constantFrom("Authorization: Bearer ", "X-Tenant-Id: ", "X-User: ", "X-Api-Key: ", "Cookie: sid=");

describe("users of one client", (test) => {
  test("given different credentials, distinguishes the users; given the same ones, finds one user", () => {
    fc.assert(
      fc.property(header, fc.uniqueArray(token, { minLength: 2, maxLength: 4 }), (name, tokens) => {
        const talks = [...tokens, ...tokens].map((one, at) => ({ at: at * 100, sends: [name + one] }));
        const found = usersOf(talks);
        assert.is(new Set(found).size, tokens.length);
        assert.equal(found.slice(tokens.length), found.slice(0, tokens.length));
      }),
    );
  });

  test("given a cookie that responses renew, knows the same user", () => {
    fc.assert(
      fc.property(fc.uniqueArray(token, { minLength: 2, maxLength: 8 }), (values) => {
        const talks = values.map((value, at) => ({
          at: at * 100,
          sends: [`Cookie: sid=${value}`],
          gives: [`Set-Cookie: sid=${values[at + 1] ?? value}; Path=/`],
        }));
        assert.is(new Set(usersOf(talks)).size, 1);
      }),
    );
  });

  test("given a response that is public, its users are one, unless it varies by cookie", () => {
    const talks = (vary: string) =>
      ["a", "b"].map((user, at) => ({
        at: at * 100,
        sends: [`Cookie: sid=${user}`],
        gives: ["Cache-Control: public, max-age=60", vary],
      }));
    assert.is(new Set(usersOf(talks("Vary: Accept-Encoding"))).size, 1);
    assert.is(new Set(usersOf(talks("Vary: Cookie"))).size, 2);
  });

  test("given cookies of load balancers, or none, knows no users", () => {
    assert.equal(usersOf([{ at: 0 }, { at: 9, sends: ["Cookie: AWSALB=x; _ga=1"] }]), ["", ""]);
  });
});
