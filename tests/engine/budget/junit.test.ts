import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { junitOf } from "../../../src/engine/budget/junit.ts";
import type { Verdict } from "../../../src/engine/budget/verdict.ts";
import type { FindingKind } from "../../../src/engine/model/finding.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const verdict: fc.Arbitrary<Verdict> = fc.record({
  outcome: fc.constantFrom("kept", "broken", "too-few", "accepted", "known"),
  subject: fc.string({ unit: anyCharacter }),
  what: fc.constantFrom("p95", "count", "finding", "regression", "load p95"),
  place: fc.constant(null),
  limit: fc.constant(1),
  measured: fc.option(fc.integer({ min: 0, max: 99_999 })),
  time: fc.option(fc.integer({ min: 0, max: 99_999 })),
  n: fc.nat(),
  detail: fc.string({ unit: anyCharacter }),
  evidence: fc.array(fc.record({ name: fc.string({ unit: anyCharacter }), value: fc.string() }), { maxLength: 3 }),
  fingerprint: fc.constantFrom(null, "0123456789abcdef"),
  change: fc.constantFrom(null, "new", "worse", "known"),
  acceptance: fc.constant(null),
});

const gone = fc.record({
  kind: fc.constantFrom<FindingKind>("errors", "n-plus-one"),
  summary: fc.string({ unit: anyCharacter }),
  fingerprint: fc.constant("fedcba9876543210"),
});

/** What Jenkins' junit-10.xsd asks of the elements and attributes that we write. */
const LINE = {
  suite: /^ {2}<testsuite name="[^"<]*" tests="\d+" failures="\d+" errors="0" skipped="\d+" time="\d+\.\d{3}">$/,
  kept: /^ {4}<testcase classname="weir\.budget" name="[^"<]*" time="\d+\.\d{3}"><\/testcase>$/,
  gone: /^ {4}<testcase classname="weir\.budget" name="no [\w-]+ fedcba9876543210" time="0\.000"><system-out>gone: [^<]*<\/system-out><\/testcase>$/,
  other:
    /^ {4}<testcase classname="[^"<]*" name="[^"<]*" time="\d+\.\d{3}"><(failure|skipped) type="[^"<]*" message="[^"<]*"(?:\/>|>[^<]*<\/\1>)<\/testcase>$/s,
};

describe("JUnit XML report", (test) => {
  test("given any verdicts, has the form of junit-10.xsd, the right counts, times in seconds, and the evidence", () => {
    fc.assert(
      fc.property(fc.array(verdict, { maxLength: 6 }), fc.array(gone, { maxLength: 2 }), (verdicts, absent) => {
        const text = junitOf([{ source: 'a&"b<.har', verdicts, unjudged: 0, gone: absent, changed: [] }]);
        const inner =
          /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>\n(.*\n) {2}<\/testsuite>\n<\/testsuites>\n$/s.exec(
            text,
          )?.[1] ?? "";
        const [suite = "", ...cases] = inner.split(/\n(?= {4}<testcase )|\n$/).filter((line) => line !== "");
        assert.match(suite, LINE.suite);
        const count = (...outcomes: readonly string[]) =>
          verdicts.filter(({ outcome }) => outcomes.includes(outcome)).length;
        assert.ok(suite.includes(`tests="${verdicts.length + absent.length}" failures="${count("broken")}"`));
        assert.ok(suite.includes(`skipped="${count("too-few", "accepted", "known")}"`));
        assert.is(cases.length, verdicts.length + absent.length);
        for (const line of cases.slice(verdicts.length)) assert.match(line, LINE.gone);
        for (const [index, line] of cases.slice(0, verdicts.length).entries()) {
          const { outcome, measured, what, evidence, time, change } = verdicts[index] as Verdict;
          assert.match(line, outcome === "kept" ? LINE.kept : LINE.other);
          const expected = (what === "p95" || what === "load p95" ? measured : time) ?? 0;
          assert.ok(line.includes(` time="${(expected / 1_000).toFixed(3)}"`));
          if (outcome === "known" && change === "known") assert.match(line, " (known)");
          if (outcome !== "kept" && evidence.length > 0) assert.is(line.split("\n").length, evidence.length + 1);
        }
      }),
    );
  });
});
