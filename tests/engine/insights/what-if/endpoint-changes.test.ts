import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { endpointChangeFrom, whatIfOf } from "../../../../src/engine/insights/what-if/endpoint-changes.ts";
import type { Unit } from "../../../../src/engine/insights/what-if/timed-units.ts";
import { UnitGains } from "../../../../src/engine/insights/what-if/unit-gains.ts";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

/** Loads of a page: a document, a list, then items beside each other, each as long as drawn. */
function shop(items: readonly number[]) {
  const scene = new Scene();
  for (const load of times(3)) {
    const at = load * 10_000;
    const document = scene.ask({ at, target: "/", server: 100, transfer: 0 });
    const list = scene.ask({ at: at + 100, target: "/list?load=1", server: 200, transfer: 0, method: "POST" });
    scene.prove(document, list);
    for (const [index, server] of items.entries()) {
      const item = { at: at + 300, target: `/items/${index}`, path: "/items/{id}", transfer: 0 };
      scene.prove(list, scene.ask({ ...item, server, operation: "Item" }));
    }
  }
  const traffic = scene.traffic();
  const size = items.length + 2;
  const units = times(3).map((load): Unit => {
    const exchanges = traffic.requests.slice(size * load, size * (load + 1));
    const links = exchanges.flatMap(({ id }) => traffic.links.provenInto(id));
    const [start, end] = [load * 10_000, load * 10_000 + 300 + Math.max(...items)];
    return { kind: "load", key: "/", client: "", start, end, exchanges, links, ownTime: 0 };
  });
  return { traffic, gains: new UnitGains(units) };
}

const lengths = fc.array(fc.integer({ min: 10, max: 900 }), { minLength: 1, maxLength: 5 });

describe("what-if calculation", (test) => {
  test("given an endpoint and a time, reads both, and refuses all other text", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9/?&_.:{}-]{1,20}$/);
    fc.assert(
      fc.property(fc.constantFrom("GET", "POST"), word, fc.integer({ min: 0, max: 3_600_000 }), (method, path, to) => {
        const endpoint = `${method} /${path}`;
        assert.equal(endpointChangeFrom(`${endpoint}=${to}`), { ok: true, value: { endpoint, to } });
        for (const bad of [endpoint, `${path}`, `${endpoint}=`, `${endpoint}=-${to}`, `=${to}`, `${endpoint}=1e3`])
          assert.is(endpointChangeFrom(bad).ok, false, bad);
      }),
    );
    assert.is(endpointChangeFrom("GET /a=3600001").ok, false);
  });

  test("given changes together, tells what the loads gain, and how many requests each names", () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 9 }), (items, to) => {
        const { traffic, gains } = shop(items);
        const named = ["GET /items/{id}", "GET https://api.test/items/{id} · Item", "GET /items/{id} · Item"];
        for (const endpoint of named) {
          const whatIf = whatIfOf([{ endpoint, to }], traffic, gains);
          const gain = Math.max(...items) - to;
          assert.equal(whatIf.loads?.median, { byLinks: gain, atMost: gain });
          assert.is(whatIf.changes[0]?.requests, 3 * items.length);
        }
        const both = whatIfOf(
          [
            { endpoint: "GET /items/0", to: 0 },
            { endpoint: "POST /list", to },
          ],
          traffic,
          gains,
        );
        const gain = 200 - to + Math.max(...items) - Math.max(0, ...items.slice(1));
        assert.equal(both.loads?.sum, { byLinks: 3 * gain, atMost: 3 * gain });
        assert.is(both.walks, null);
      }),
    );
  });

  test("given an endpoint without requests, names none of them", () => {
    const { traffic, gains } = shop([20]);
    const whatIf = whatIfOf([{ endpoint: "GET /nothing", to: 5 }], traffic, gains);
    assert.equal([whatIf.loads, whatIf.walks, whatIf.changes[0]?.requests], [null, null, 0]);
  });
});
