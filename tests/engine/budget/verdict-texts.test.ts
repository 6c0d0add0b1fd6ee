import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { VERDICT_FORMATS, verdictText } from "../../../src/engine/budget/verdict-texts.ts";
import type { Verdict } from "../../../src/engine/budget/verdicts.ts";
import { describe } from "../../support/describe.ts";

const COMMON = { subject: "GET https://api.test/orders", what: "p95", limit: 300, detail: "" } as const;
const BROKEN: Verdict = { ...COMMON, outcome: "broken", measured: 412.345, n: 40 };
const KEPT: Verdict = { ...COMMON, what: "errors", limit: 1, outcome: "kept", measured: 0, n: 40 };
const FEW: Verdict = { ...COMMON, what: "p99", outcome: "too-few", measured: null, n: 1, detail: "5 needed" };
const FOUND: Verdict = {
  ...COMMON,
  subject: "retries",
  what: "finding",
  limit: null,
  measured: null,
  outcome: "broken",
  n: 3,
  detail: "Thrice.",
};
const ALL = [{ source: "run.har", verdicts: [KEPT, FEW, BROKEN, FOUND], unjudged: 1 }];

describe("verdicts as text", (test) => {
  test("a terminal shows what is broken first, then what cannot be told", () => {
    assert.is(
      verdictText(ALL, "text"),
      `run.har: 2 broken, 1 kept, 1 with too few requests to tell; 1 limit of a rarely requested endpoint not judged.
  broken   GET https://api.test/orders: p95 412.35 ms, at most 300 ms (40 requests)
  broken   retries: Thrice.
  too few  GET https://api.test/orders: p99, at most 300 ms, cannot be told of 1 request (5 needed)
`,
    );
  });

  test("JUnit counts failures and skipped ones; GitHub has errors and warnings; JSON is as judged", () => {
    const junit = verdictText(ALL, "junit");
    assert.match(junit, '<testsuite name="run.har" tests="4" failures="2" skipped="1">');
    assert.is(junit.match(/<failure /g)?.length, 2);
    assert.is(junit.match(/<skipped /g)?.length, 1);
    const github = verdictText(ALL, "github").trim().split("\n");
    assert.equal(
      github.map((line) => line.split(" ")[0]),
      ["::error", "::error", "::warning"],
    );
    assert.equal(JSON.parse(verdictText(ALL, "json")), { schema: 1, sources: JSON.parse(JSON.stringify(ALL)) });
    assert.match(verdictText(ALL, "md"), "| broken | GET https://api\\.test/orders: p95 412\\.35 ms, at most 300 ms");
  });

  test("captured text breaks out of no format", () => {
    const hostile = fc.string({ unit: "binary", maxLength: 30 });
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(...VERDICT_FORMATS), (subject, detail, format) => {
        const verdicts: readonly Verdict[] = [
          { ...BROKEN, subject },
          { ...FOUND, detail },
        ];
        const text = verdictText([{ source: subject, verdicts, unjudged: 0 }], format);
        if (format === "json") return assert.is(JSON.parse(text).sources[0].verdicts.length, 2);
        assert.not.match(text, /[^\P{C}\n]/u);
        const lines = text.split("\n").length;
        assert.is(
          lines,
          verdictText([{ source: "s", verdicts: [BROKEN, FOUND], unjudged: 0 }], format).split("\n").length,
        );
        if (format === "junit") {
          assert.is(text.match(/<testcase /g)?.length, 2);
          assert.not.match(text.replaceAll(/&(amp|lt|gt|quot);/g, ""), /&/);
        }
      }),
    );
  });
});
