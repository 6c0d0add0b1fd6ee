import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NO_PATHS } from "../../../../src/engine/insights/links/critical-paths.ts";
import { loadFiguresOf } from "../../../../src/engine/insights/where/load-figures.ts";
import { loadsOf } from "../../../../src/engine/insights/where/page-loads.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene } from "../../../support/scene.ts";

describe("page load figures", (test) => {
  test("given loads of a page, returns the duration, requests and bytes of each", () => {
    const load = fc.array(fc.record({ server: fc.integer({ min: 1, max: 300 }), bytes: fc.nat(9_000) }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(load, { minLength: 1, maxLength: 4 }), (drawn) => {
        const scene = new Scene();
        for (const [index, requests] of drawn.entries()) {
          const at = index * 60_000;
          const opened = { "sec-fetch-dest": "document" };
          scene.ask({ at, target: "/cart", type: "text/html", request: opened, server: 40, transfer: 1, bytes: 500 });
          for (const { server, bytes } of requests)
            scene.ask({ at: at + 50, target: "/api", server, transfer: 1, bytes });
        }
        assert.equal(
          loadFiguresOf(loadsOf(scene.traffic(), NO_PATHS, () => null)),
          drawn.map((requests) => ({
            page: "GET https://api.test/cart",
            duration: 50 + Math.max(...requests.map(({ server }) => server)) + 1,
            requests: requests.length + 1,
            bytes: 500 + requests.reduce((sum, { bytes }) => sum + bytes, 0),
          })),
        );
      }),
      { numRuns: rounds(30) },
    );
  });
});
