import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type SarifResult, sarifOf } from "../../../src/engine/budget/sarif.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const results: fc.Arbitrary<SarifResult> = fc.record({
  rule: fc.constantFrom("p95", "errors", "n-plus-one"),
  level: fc.constantFrom("error", "warning"),
  message: fc.string({ unit: anyCharacter }),
  file: fc.string({ unit: "grapheme", minLength: 1 }),
  line: fc.integer({ min: 1, max: 999 }),
  fingerprint: fc.option(fc.constant("0123456789abcdef")),
  limit: fc.constant("p95 GET https://api.test/"),
  state: fc.option(fc.constantFrom("new", "updated", "unchanged", "absent")),
  acceptance: fc.option(fc.record({ reason: fc.string(), until: fc.option(fc.constant("2026-12-31")) })),
});

describe("SARIF report", (test) => {
  test("given results, lists each rule once and gives each result its rule, level, message and line", () => {
    fc.assert(
      fc.property(fc.array(results, { maxLength: 8 }), (all) => {
        const { version, runs } = JSON.parse(sarifOf(all, "1.2.3"));
        const [run] = runs;
        assert.equal([version, run.tool.driver.version, run.results.length], ["2.1.0", "1.2.3", all.length]);
        const rules = run.tool.driver.rules.map(({ id }: { id: string }) => id);
        assert.equal(rules.toSorted(), [...new Set(all.map(({ rule }) => rule))].toSorted());
        for (const [index, { rule, level, message, line }] of all.entries()) {
          const { ruleId, locations, ...result } = run.results[index];
          const { region } = locations[0].physicalLocation;
          assert.equal([ruleId, result.level, result.message.text, region.startLine], [rule, level, message, line]);
        }
      }),
    );
  });

  test("given a finding, has its fingerprint, state and suppression; each rule is described", () => {
    fc.assert(
      fc.property(fc.array(results, { minLength: 1, maxLength: 8 }), (all) => {
        const [run] = JSON.parse(sarifOf(all, "1.2.3")).runs;
        for (const [index, { fingerprint, limit, state, acceptance, level, rule }] of all.entries()) {
          const result = run.results[index];
          const identity = fingerprint === null ? { "weirLimit/v1": limit } : { "weirFinding/v1": fingerprint };
          assert.equal(result.partialFingerprints, identity);
          assert.is(result.baselineState ?? null, state);
          assert.is(run.tool.driver.rules[result.ruleIndex].id, rule);
          // All results have the property, or none (3.27.23).
          assert.is(result.suppressions.length, acceptance === null ? 0 : 1);
          if (acceptance !== null)
            assert.is(result.suppressions[0].status, level === "error" ? "rejected" : "accepted");
        }
        for (const { shortDescription, fullDescription, help } of run.tool.driver.rules)
          for (const text of [shortDescription.text, fullDescription.text, help.text, help.markdown])
            assert.ok(text.length > 0);
      }),
    );
  });

  test("given any file name, writes a relative URI that decodes back to the file name", () => {
    fc.assert(
      fc.property(results, (result) => {
        const { runs } = JSON.parse(sarifOf([result], "1"));
        const uri: string = runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
        assert.match(uri, /^[\w\-.!~*'()%/]*$/);
        assert.is(decodeURIComponent(uri), result.file.replaceAll("\\", "/"));
      }),
    );
  });
});
