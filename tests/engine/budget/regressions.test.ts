import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { regressionsOf } from "../../../src/engine/budget/regressions.ts";
import { COMPARE_VERDICTS, type CompareRecord } from "../../../src/engine/messages/compare-messages.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { describe } from "../../support/describe.ts";

const fingerprintOf = ({ path }: { readonly path: string }) => `of ${path}`;
const FIGURES = { requests: 9, p50: 120, p95: 300.04, p99: 400, avgSize: 1, errorRate: 0 };

function compared(verdict: CompareRecord["verdict"], index: number): CompareRecord {
  return {
    endpoint: `GET https://api.test/${index}` as Endpoint,
    method: "GET",
    origin: "https://api.test",
    path: `/${index}`,
    operation: null,
    left: FIGURES,
    right: { ...FIGURES, p50: 180, p95: 412 },
    verdict,
    note: verdict === "unknown" ? "can't tell" : null,
    shown: 1.284,
    samples: { left: 38, right: 40 },
    uncertain: { left: 0, right: 0 },
    distributions: null,
    lost: null,
    protocols: { left: [], right: [] },
    change: { requests: 0, p50: 60, p95: 112, p99: 0, avgSize: 0, errorRate: 0 },
  };
}

describe("regressions against a baseline", (test) => {
  test("given compared endpoints, breaks slower endpoints and counts unknown ones, or lists them if nothing else was judged", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...COMPARE_VERDICTS), { maxLength: 12 }), (all) => {
        const { verdicts, unjudged } = regressionsOf(all.map(compared), fingerprintOf);
        const number = (...those: readonly string[]) => all.filter((one) => those.includes(one)).length;
        const isTold = number("slower", "faster", "same", "same-median") > 0;
        const outcomes = verdicts.map(({ outcome }) => outcome);
        assert.is(outcomes.filter((one) => one === "broken").length, number("slower"));
        assert.is(outcomes.filter((one) => one === "kept").length, number("faster", "same", "same-median"));
        assert.is(unjudged, isTold ? number("unknown") : 0);
        if (!isTold) assert.is(outcomes.filter((one) => one === "too-few").length, Math.max(1, number("unknown")));
      }),
    );
  });

  test("given a judged change, its detail names p50, p95 and the request counts before and now", () => {
    const [slower] = regressionsOf([compared("slower", 1)], fingerprintOf).verdicts;
    assert.equal(
      [slower?.subject, slower?.n, slower?.fingerprint, slower?.acceptance],
      ["GET https://api.test/1", 40, "of /1", null],
    );
    assert.is(slower?.detail, "p50 120 ms → 180 ms, p95 300 ms → 412 ms, 38 requests before");
    const same = regressionsOf([compared("same-median", 1)], fingerprintOf).verdicts[0];
    assert.match(same?.detail ?? "", /, 38 requests before, 1\.28x would have been found$/);
    assert.is(regressionsOf([compared("unknown", 1)], fingerprintOf).verdicts[0]?.detail, "can't tell");
  });
});
