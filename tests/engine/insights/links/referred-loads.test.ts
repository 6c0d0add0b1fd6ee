import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ReferredLoads } from "../../../../src/engine/insights/links/referred-loads.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, type Talk } from "../../../support/linked.ts";

const HTML = ["content-type: text/html"];
const CSS = ["content-type: text/css"];

/** The number of each request's load, by the order of the requests; `null` without a load. */
function loadsOf(talks: readonly Talk[], onEvicted?: (scope: number) => void): readonly (number | null)[] {
  const loads = new ReferredLoads((load) => onEvicted?.(load.scope));
  const clients = new Map<string, number>();
  return factsOf(talks).map(({ facts }) => {
    const { client, origin, target } = facts.exchange;
    if (!clients.has(client)) clients.set(client, clients.size);
    const request = { facts, client: clients.get(client) ?? 0, url: origin + target };
    return loads.loadOf({ ...request, contentType: facts.exchange.contentType ?? "", isRead: true })?.scope ?? null;
  });
}

const page = (at: number, target = "/page", more: Partial<Talk> = {}): Talk => ({ at, target, gives: HTML, ...more });
const sends = (referer: string) => [`referer: https://api.test${referer}`];

describe("page load finder", (test) => {
  test("given a Referer, finds the latest load of that document, or of a part of it", () => {
    const found = loadsOf([
      page(0, "/one"),
      page(100, "/two"),
      { at: 200, target: "/a.css", gives: CSS, sends: sends("/one") },
      { at: 300, target: "/font", sends: sends("/a.css") },
      { at: 400, target: "/x", sends: sends("/two") },
      page(500, "/one"),
      { at: 600, target: "/y", sends: sends("/one") },
    ]);
    assert.equal(found, [-1, -2, -1, -1, -2, -3, -3]);
  });

  test("given no Referer, finds the client's latest load; given an unknown one, none", () => {
    const found = loadsOf([
      { at: 0, target: "/before" },
      page(100),
      { at: 200, target: "/x" },
      { at: 300, target: "/y", sends: sends("/unknown") },
      { at: 400, target: "/z", client: "another" },
    ]);
    assert.equal(found, [null, -1, -1, null, null]);
  });

  test("given any number of loads of one client, remembers eight and reports each other one once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (count) => {
        const evicted: number[] = [];
        loadsOf(
          Array.from({ length: count }, (_, index) => page(index * 100, `/${index}`)),
          (scope) => evicted.push(scope),
        );
        assert.equal(
          evicted,
          Array.from({ length: Math.max(0, count - 8) }, (_, index) => -1 - index),
        );
      }),
    );
  });
});
