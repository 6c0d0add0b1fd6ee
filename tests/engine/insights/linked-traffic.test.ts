import * as assert from "uvu/assert";
import { LinkedTraffic } from "../../../src/engine/insights/linked-traffic.ts";
import { describe } from "../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../support/linked.ts";

const TALKS: readonly Talk[] = [
  {
    at: 0,
    lasts: 100,
    target: "/home",
    sends: ["Sec-Fetch-Dest: document"],
    gives: ["Content-Type: text/html"],
    answer: '<script src="/app.js"></script>',
  },
  { at: 110, lasts: 50, target: "/app.js", initiators: ["https://api.test/home"] },
];

describe("traffic with its links", (test) => {
  test("given a page load, computes each part at its first use, and once", () => {
    let looks = 0;
    const facts = factsOf(TALKS).map((one) => one.facts);
    const known = new LinkedTraffic(facts, foundIn(TALKS), () => {
      looks += 1;
      return null;
    });
    assert.is(known.traffic.requests.length, 2);
    assert.is(known.traffic, known.traffic);
    assert.is(known.paths, known.paths);
    assert.is(looks, 0);
    const [load] = known.loads;
    assert.equal([known.loads.length, load?.requests.length], [1, 2]);
    const before = looks;
    assert.is(known.units, known.units);
    assert.equal([known.units.units.length, looks], [1, before]);
    assert.ok(before > 0);
  });
});
