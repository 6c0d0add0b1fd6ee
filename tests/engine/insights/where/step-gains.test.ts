import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { criticalPathsOf } from "../../../../src/engine/insights/links/critical-paths.ts";
import { UnitGains } from "../../../../src/engine/insights/what-if/gains.ts";
import { unitsOf } from "../../../../src/engine/insights/what-if/units.ts";
import { loadsOf, pageLoadsOf } from "../../../../src/engine/insights/where/page-loads.ts";
import { withStepGains } from "../../../../src/engine/insights/where/step-gains.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";

const HTML = "Content-Type: text/html";

describe("gains of steps", (test) => {
  test("given a step beside a shorter request, the shorter one caps what the step saves", () => {
    const times = fc.record({ script: fc.integer({ min: 200, max: 900 }), style: fc.integer({ min: 20, max: 190 }) });
    fc.assert(
      fc.property(times, ({ script, style }) => {
        const answer = '<script src="/app.js"></script><link rel="stylesheet" href="/app.css">';
        const talks: readonly Talk[] = [
          { at: 0, lasts: 100, target: "/", sends: ["Sec-Fetch-Dest: document"], gives: [HTML], answer },
          { at: 110, lasts: script, target: "/app.js", initiators: ["https://api.test/"] },
          { at: 110, lasts: style, target: "/app.css", initiators: ["https://api.test/"] },
        ];
        const facts = factsOf(talks).map((one) => one.facts);
        const found = foundIn(talks);
        const traffic = trafficOf(facts, found.links);
        const paths = criticalPathsOf(facts, found);
        const loads = loadsOf(traffic, paths, () => null);
        const described = pageLoadsOf(loads, traffic, paths);
        const [load] = withStepGains(described, new UnitGains(unitsOf(traffic, loads)));
        assert.equal(
          load?.path.map(({ endpoint, ifGone }) => [endpoint.path, ifGone]),
          [
            ["/", { byLinks: 100, atMost: 100 }],
            ["/app.js", { byLinks: script - style, atMost: script - style }],
          ],
        );
        assert.equal(withStepGains(described, new UnitGains([])), described);
      }),
    );
  });
});
