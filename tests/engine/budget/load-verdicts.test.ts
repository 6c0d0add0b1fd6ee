import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { loadVerdictsOf } from "../../../src/engine/budget/load-verdicts.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { percentileOf } from "../../../src/engine/stats/percentile.ts";
import { describe } from "../../support/describe.ts";

const loads = fc.array(
  fc.record({
    page: fc.constantFrom("GET https://shop.test/", "GET https://shop.test/cart").map((page) => page as Endpoint),
    duration: fc.integer({ min: 1, max: 5_000 }),
    requests: fc.integer({ min: 1, max: 90 }),
    bytes: fc.nat(2_000_000),
  }),
  { maxLength: 24 },
);

describe("page load verdicts", (test) => {
  test("given loads of pages, p95 is that of each page with enough loads; requests and bytes hold for each load", () => {
    fc.assert(
      fc.property(loads, fc.integer({ min: 5, max: 9 }), (all, n) => {
        const limits = { p95: 2_000, requests: 60, bytes: 1_048_576, n };
        const { verdicts, unjudged } = loadVerdictsOf(limits, all);
        const pages = [...new Set(all.map(({ page }) => page))].sort();
        const of = (what: string) => verdicts.filter((verdict) => verdict.what === what);
        for (const figure of ["requests", "bytes"] as const) {
          if (pages.length === 0)
            assert.equal(
              of(`load ${figure}`).map(({ outcome }) => outcome),
              ["too-few"],
            );
          for (const page of pages) {
            const most = Math.max(...all.filter((one) => one.page === page).map((one) => one[figure]));
            const verdict = of(`load ${figure}`).find(({ subject }) => subject === page);
            assert.equal([verdict?.measured, verdict?.outcome], [most, most > limits[figure] ? "broken" : "kept"]);
          }
        }
        const often = pages.filter((page) => all.filter((one) => one.page === page).length >= n);
        const judged = of("load p95").filter(({ outcome }) => outcome !== "too-few");
        assert.equal(
          judged.map(({ subject }) => subject),
          often,
        );
        for (const { subject, measured, outcome } of judged) {
          const own = all.filter(({ page }) => page === subject).map(({ duration }) => duration);
          const p95 = percentileOf(Float64Array.from(own).sort(), 0.95);
          assert.equal([measured, outcome], [p95, p95 > 2_000 ? "broken" : "kept"]);
        }
        assert.is(unjudged, often.length > 0 ? pages.length - often.length : 0);
        if (often.length === 0) assert.is(of("load p95").length, Math.max(1, pages.length));
      }),
    );
    assert.equal(loadVerdictsOf({}, []).verdicts, []);
  });
});
