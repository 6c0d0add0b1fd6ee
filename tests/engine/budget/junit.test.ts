import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { junitOf } from "../../../src/engine/budget/junit.ts";
import type { Verdict } from "../../../src/engine/budget/verdict.ts";
import { describe } from "../../support/describe.ts";

const verdict: fc.Arbitrary<Verdict> = fc.record({
  outcome: fc.constantFrom("kept", "broken", "too-few", "accepted", "known"),
  subject: fc.string({ unit: "binary" }),
  what: fc.constantFrom("p95", "count", "finding", "regression", "load p95"),
  place: fc.constant(null),
  limit: fc.constant(1),
  measured: fc.option(fc.integer({ min: 0, max: 99_999 })),
  n: fc.nat(),
  detail: fc.string({ unit: "binary" }),
  evidence: fc.array(fc.record({ name: fc.string({ unit: "binary" }), value: fc.string() }), { maxLength: 3 }),
  fingerprint: fc.constant(null),
  change: fc.constant(null),
  acceptance: fc.constant(null),
});

/** What Jenkins' junit-10.xsd asks of the elements and attributes that we write. */
const LINE = {
  suite: /^ {2}<testsuite name="[^"<]*" tests="\d+" failures="\d+" errors="0" skipped="\d+" time="\d+\.\d{3}">$/,
  kept: /^ {4}<testcase classname="weir\.budget" name="[^"<]*" time="\d+\.\d{3}"><\/testcase>$/,
  other:
    /^ {4}<testcase classname="[^"<]*" name="[^"<]*" time="\d+\.\d{3}"><(failure|skipped) type="[^"<]*" message="[^"<]*"(?:\/>|>[^<]*<\/\1>)<\/testcase>$/s,
};

describe("JUnit XML", (test) => {
  test("given any verdicts, has the form of junit-10.xsd, the right counts, times in seconds, and the evidence", () => {
    fc.assert(
      fc.property(fc.array(verdict, { maxLength: 6 }), (verdicts) => {
        const text = junitOf([{ source: 'a&"b<.har', verdicts, unjudged: 0, gone: [], changed: [] }]);
        const inner =
          /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>\n(.*\n) {2}<\/testsuite>\n<\/testsuites>\n$/s.exec(
            text,
          )?.[1] ?? "";
        const [suite = "", ...cases] = inner.split(/\n(?= {4}<testcase )|\n$/).filter((line) => line !== "");
        assert.match(suite, LINE.suite);
        const count = (...outcomes: readonly string[]) =>
          verdicts.filter(({ outcome }) => outcomes.includes(outcome)).length;
        assert.ok(suite.includes(`tests="${verdicts.length}" failures="${count("broken")}"`));
        assert.ok(suite.includes(`skipped="${count("too-few", "accepted", "known")}"`));
        assert.is(cases.length, verdicts.length);
        for (const [index, line] of cases.entries()) {
          const { outcome, measured, what, evidence } = verdicts[index] as Verdict;
          assert.match(line, outcome === "kept" ? LINE.kept : LINE.other);
          const isTimed = what !== "count" && what !== "regression" && measured !== null;
          assert.ok(line.includes(` time="${((isTimed ? measured : 0) / 1_000).toFixed(3)}"`));
          if (outcome !== "kept" && evidence.length > 0) assert.is(line.split("\n").length, evidence.length + 1);
        }
      }),
    );
  });
});
