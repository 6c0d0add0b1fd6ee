import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { findingVerdictsOf } from "../../../src/engine/budget/finding-verdicts.ts";
import { FINDING_KINDS } from "../../../src/engine/model/finding.ts";
import { describe } from "../../support/describe.ts";

const found = fc.array(
  fc.record({
    kind: fc.constantFrom(...FINDING_KINDS.slice(0, 4)),
    count: fc.integer({ min: 1, max: 99 }),
    summary: fc.constant("It is slow."),
    time: fc.option(fc.integer({ min: 0, max: 1_000 })),
  }),
  { maxLength: 6 },
);

describe("finding verdicts", (test) => {
  test("given a limit of time, each finding of the kind keeps or breaks it; one without a time cannot be told", () => {
    fc.assert(
      fc.property(found, fc.constantFrom(...FINDING_KINDS.slice(0, 4)), fc.nat(1_000), (all, kind, limit) => {
        const own = all.filter((one) => one.kind === kind);
        const verdicts = findingVerdictsOf({ no: [], [kind]: { time: limit } }, all, ["findings"]);
        if (own.length === 0)
          return assert.equal(
            verdicts.map(({ outcome, subject, n }) => [outcome, subject, n]),
            [["kept", kind, 0]],
          );
        const outcomeOf = (time: number) => (time > limit ? "broken" : "kept");
        assert.equal(
          verdicts.map(({ outcome, measured, limit: most }) => [outcome, measured, most]),
          own.map(({ time }) => [time === null ? "too-few" : outcomeOf(time), time, limit]),
        );
        for (const { place } of verdicts) assert.equal(place, ["findings", kind, "time"]);
      }),
    );
  });

  test("given a kind that must not be, each of its findings breaks the limit, whatever it costs", () => {
    fc.assert(
      fc.property(found, fc.subarray(FINDING_KINDS.slice(0, 4)), (all, no) => {
        const verdicts = findingVerdictsOf({ no }, all, ["findings"], " at /a");
        for (const [index, kind] of no.entries()) {
          const own = verdicts.filter(({ subject }) => subject === kind);
          const count = all.filter((one) => one.kind === kind).length;
          assert.is(own.filter(({ outcome }) => outcome === "broken").length, count);
          for (const { place } of own) assert.equal(place, ["findings", "no", index]);
          if (count === 0) assert.equal([own.length, own[0]?.outcome, own[0]?.detail], [1, "kept", "at /a"]);
        }
        assert.is(
          verdicts.length,
          no.reduce((sum, kind) => sum + Math.max(1, all.filter((one) => one.kind === kind).length), 0),
        );
      }),
    );
  });
});
