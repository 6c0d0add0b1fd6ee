import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { PlainRequest } from "../../../src/engine/interchange/copied-request.ts";
import {
  has,
  hasDots,
  holdsControls,
  holdsOtherThanAscii,
  holdsTwice,
  isOwnHost,
  KEPT_BY_FETCH,
  KEPT_BY_REQUESTS,
} from "../../../src/engine/interchange/plain-request.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

function request(...headers: readonly (readonly [string, string])[]): PlainRequest {
  return {
    method: "GET",
    origin: "https://a.test:1",
    target: "/",
    url: "https://a.test:1/",
    protocol: "http/1.1",
    body: new Uint8Array(),
    bodySize: 0,
    headers: headers.map(([name, value]) => ({ name, value })),
  };
}

describe("request to copy", (test) => {
  test("given a target that the URL Standard keeps, says so, and of no other", () => {
    const targets = fc.string({ unit: fc.constantFrom(..."aZ9-._~!$&'()*+,;=:@/?%[]{}|^\\\"<> #\u00e9") });
    fc.assert(
      fc.property(targets, (text) => {
        const target = `/${text}`;
        if (!KEPT_BY_FETCH.test(target) || hasDots(target)) return;
        const { pathname, search } = new URL(`http://a.test${target}`);
        assert.is(pathname + search, target);
      }),
      { numRuns: rounds(2_000) },
    );
    for (const target of ["/", "/a?b", "/%7e", "/a?b=[1]"]) assert.ok(KEPT_BY_FETCH.test(target), target);
    for (const target of ["//a", "/%7e", "/%41"]) assert.not.ok(KEPT_BY_REQUESTS.test(target), target);
  });

  test("given headers, finds what a library cannot send", () => {
    assert.equal([holdsTwice(request(["A", ""], ["a", ""])), holdsTwice(request(["A", ""], ["B", ""]))], [true, false]);
    assert.equal([holdsControls(request(["A", "\u0001"])), holdsControls(request(["A", "\t\u00ff"]))], [true, false]);
    assert.equal(
      [holdsOtherThanAscii(request(["A", "\u00ff"])), holdsOtherThanAscii(request(["A", "\t~"]))],
      [true, false],
    );
    assert.equal([has(request(["A", ""]), "a"), has(request(["B", ""]), "a")], [true, false]);
  });

  test("given Host, tells whether the URL gives it by itself", () => {
    const isOwn = (value: string) => isOwnHost({ name: "host", value }, request());
    assert.equal([isOwn("a.test:1"), isOwn("a.test")], [true, false]);
  });
});
