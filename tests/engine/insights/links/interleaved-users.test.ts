import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn, type Talk } from "../../../support/linked.ts";

const header = fc.constantFrom("Authorization: Bearer ", "Cookie: sid=", "X-Tenant: ");

/** Visits in turn: a list, and 10 ms after it a detail; `userOf` names the user of each request. */
function visits(count: number, name: string, userOf: (visit: number, isDetail: boolean) => string): readonly Talk[] {
  return Array.from({ length: count }, (_, visit) => [
    { at: visit * 1_000, target: "/list", sends: [name + userOf(visit, false)] },
    { at: visit * 1_000 + 60, target: "/detail", sends: [name + userOf(visit, true)] },
  ]).flat();
}

describe("users in turn", (test) => {
  test("given requests of different users, links them by order only within one user's", () => {
    fc.assert(
      fc.property(header, fc.integer({ min: 4, max: 12 }), (name, count) => {
        const own = visits(count, name, (visit) => `user${visit % 2}`);
        assert.is(linksIn(own).length, count);
        const mixed = visits(count, name, (visit, isDetail) => `user${(visit + Number(isDetail)) % 2}`);
        assert.equal(linksIn(mixed), []);
      }),
    );
  });

  test("given credentials that are replaced once, or two schemes of one client, keeps the links", () => {
    fc.assert(
      fc.property(header, fc.integer({ min: 4, max: 12 }), fc.integer({ min: 0, max: 3 }), (name, count, at) => {
        const renewed = visits(count, name, (visit, isDetail) =>
          visit > at || (visit === at && isDetail) ? "b1" : "a1",
        );
        assert.is(linksIn(renewed).length, count);
        const schemes = visits(count, "Authorization: ", (_, isDetail) => (isDetail ? "Bearer bbb" : "Basic aaa"));
        assert.is(linksIn(schemes).length, count);
      }),
    );
  });
});
