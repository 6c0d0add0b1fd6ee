import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Unit } from "../../../../src/engine/insights/what-if/timed-units.ts";
import { UnitGains } from "../../../../src/engine/insights/what-if/unit-gains.ts";
import type { Milliseconds } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";
import { workOf } from "../../../support/work-done.ts";

/** Loads of a page: a document, then a short and a long request beside each other, and one that nothing waited for. */
function loads(count: number, short: Milliseconds, long: Milliseconds): UnitGains {
  const scene = new Scene();
  for (let load = 0; load < count; load += 1) {
    const at = load * 10_000;
    const document = scene.ask({ at, target: "/", server: 100, transfer: 0 });
    const one = scene.ask({ at: at + 110, target: "/short", server: short, transfer: 0 });
    const other = scene.ask({ at: at + 110, target: "/long", server: long, transfer: 0 });
    scene.ask({ at: at + 110 + short + 5, target: "/unknown", server: long - short - 5, transfer: 0 });
    for (const id of [one, other]) scene.prove(document, id);
  }
  const { requests } = scene.traffic();
  const units = Array.from({ length: count }, (_, load): Unit => {
    const exchanges = requests.slice(4 * load, 4 * load + 4);
    const links = scene.links.filter(({ to }) => exchanges.some(({ id }) => id === to));
    const [start, end] = [load * 10_000, load * 10_000 + 110 + long];
    return { kind: "load", key: "/", client: "", start, end, exchanges, links, ownTime: 10 };
  });
  return new UnitGains(units);
}

const lengths = fc.tuple(fc.integer({ min: 10, max: 300 }), fc.integer({ min: 350, max: 900 }));
const counts = fc.integer({ min: 1, max: 5 });
const gone = (path: string) => (request: { readonly path: string }) => (request.path === path ? 0 : null);

describe("what-if gains of units", (test) => {
  test("given the document, returns median, sum and duration, and that it is on the path", () => {
    fc.assert(
      fc.property(lengths, counts, ([short, long], count) => {
        const all = loads(count, short, long);
        // The request without a proven need keeps its start, and ends when the load ended.
        assert.equal(all.gainsOf("load", gone("/")), {
          unit: "load",
          units: count,
          onPath: 0,
          perhaps: count,
          median: { byLinks: 0, atMost: 100 },
          sum: { byLinks: 0, atMost: 100 * count },
          duration: (110 + long) * count,
        });
      }),
    );
  });

  test("given a request that another one may have waited for, it is perhaps on the path", () => {
    fc.assert(
      fc.property(lengths, counts, ([short, long], count) => {
        const all = loads(count, short, long);
        const gains = all.gainsOf("load", gone("/short"));
        assert.equal([gains?.units, gains?.onPath, gains?.perhaps], [count, 0, 0]);
        const both = all.gainsOf("load", ({ path }) => (path === "/short" || path === "/long" ? 0 : null));
        assert.equal([both?.onPath, both?.perhaps, both?.sum], [0, count, { byLinks: 0, atMost: short * count }]);
        const last = all.gainsOf("load", ({ path }) => (path === "/unknown" || path === "/long" ? 0 : null));
        assert.equal([last?.onPath, last?.perhaps], [count, 0]);
        const gain = long - short - 5;
        assert.equal(last?.median, { byLinks: gain, atMost: gain });
      }),
    );
  });

  test("given exchanges of some loads, tells what these loads would gain without them", () => {
    fc.assert(
      fc.property(lengths, counts, ([short, long], count) => {
        const all = loads(5, short, long);
        const ids = all.units.slice(0, count).flatMap(({ exchanges }) => exchanges.slice(2).map(({ id }) => id));
        const without = all.gainsWithout(new Set(ids));
        assert.equal([without?.units, without?.onPath], [count, count]);
        assert.is(without?.sum.byLinks, (long - short - 5) * count);
        assert.is(all.gainsWithout(new Set()), null);
      }),
    );
  });

  test("given an endpoint that is in no unit, returns null, and finds each exchange's unit", () => {
    const all = loads(3, 20, 400);
    assert.is(all.gainsOf("load", gone("/other")), null);
    assert.is(all.gainsOf("walk", gone("/long")), null);
    for (const unit of all.units) for (const { id } of unit.exchanges) assert.is(all.unitOf(id), unit);
    assert.is(all.unitOf(999 as never), null);
  });

  test(
    "given twice as many loads, or loads twice as large, does about twice the work",
    () => {
      const unitsOf = (count: number, size: number): UnitGains => {
        const scene = new Scene();
        for (let load = 0; load < count; load += 1) {
          const document = scene.ask({ at: load * 1e6, target: "/", server: 50 });
          for (let item = 1; item < size; item += 1) {
            const at = load * 1e6 + 60 + item * 7;
            scene.prove(document, scene.ask({ at, target: `/items/${item}`, server: 40 + ((item * 37) % 90) }));
          }
        }
        const { requests, links: index } = scene.traffic();
        const units = Array.from({ length: count }, (_, load): Unit => {
          const exchanges = requests.slice(load * size, (load + 1) * size);
          const links = exchanges.flatMap(({ id }) => index.provenInto(id));
          return {
            kind: "load",
            key: "/",
            client: "",
            start: load * 1e6,
            end: load * 1e6,
            exchanges,
            links,
            ownTime: 0,
          };
        });
        return new UnitGains(units);
      };
      const workFor = (count: number, size: number) => {
        const all = unitsOf(count, size);
        return workOf(() => void all.gainsOf("load", ({ id }) => (id % 3 === 0 ? 5 : null)), "/engine/insights/");
      };
      workFor(2, 50);
      const once = workFor(20, 100);
      const [wider, larger] = [workFor(40, 100) / once, workFor(20, 200) / once];
      assert.ok(once > 20 * 100 && wider < 2.2 && larger < 2.5, `${once} ${wider} ${larger}`);
    },
    { isLong: true },
  );
});
