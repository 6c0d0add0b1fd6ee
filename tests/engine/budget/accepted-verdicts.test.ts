import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { acceptanceNotes, withAcceptance } from "../../../src/engine/budget/accepted-verdicts.ts";
import { verdictsOf } from "../../../src/engine/budget/endpoint-verdicts.ts";
import { FINDING_KINDS, type FindingKind } from "../../../src/engine/model/finding.ts";
import { describe } from "../../support/describe.ts";

const TODAY = "2026-06-15";
const GREW = { from: "1 ms in 9 requests", to: "2 ms in 9 requests" };
const UNTIL = [undefined, "2026-06-14", "2026-06-15", "2026-06-16"] as const;

const found = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom(...FINDING_KINDS),
    fingerprint: fc.integer({ min: 0, max: 9 }).map((digit) => String(digit).repeat(16)),
    until: fc.option(fc.constantFrom(...UNTIL), { nil: null }),
  }),
  { selector: ({ fingerprint }) => fingerprint, maxLength: 8 },
);

/** The verdicts by fingerprint. `until`: `null` without an entry. */
function judged(
  all: readonly { kind: FindingKind; fingerprint: string; until: string | undefined | null }[],
  no: readonly FindingKind[],
) {
  const findings = all.map(({ kind, fingerprint }) => ({ kind, fingerprint, count: 1, summary: "One." }));
  const entries = all.flatMap(({ fingerprint, until }) =>
    until === null ? [] : [{ fingerprint, reason: "Known.", ...(until === undefined ? {} : { until }) }],
  );
  const { verdicts } = verdictsOf({ endpoints: {}, findings: { no: [...no] } }, [], findings);
  return withAcceptance(verdicts, findings, entries, TODAY, ({ until }) => (until === undefined ? GREW : null));
}

describe("accepted findings", (test) => {
  test("given an entry, a finding is listed as accepted, whether or not its kind must not be; expired ones fail", () => {
    fc.assert(
      fc.property(found, fc.subarray([...FINDING_KINDS]), (all, no) => {
        const verdicts = judged(all, no);
        for (const { kind, fingerprint, until } of all) {
          const those = verdicts.filter((verdict) => verdict.fingerprint === fingerprint);
          if (until === null)
            assert.equal(
              those.map(({ outcome }) => outcome),
              no.includes(kind) ? ["broken"] : [],
            );
          else {
            const isExpired = until === "2026-06-14";
            assert.equal(
              those.map(({ outcome }) => outcome),
              [isExpired ? "broken" : "accepted"],
            );
            const grew = until === undefined ? GREW : null;
            const acceptance = { reason: "Known.", until: until ?? null, expired: isExpired, grew };
            assert.equal(those[0]?.acceptance, acceptance);
          }
        }
        const kept = verdicts.filter(({ outcome }) => outcome === "kept").map(({ subject }) => subject);
        assert.equal(
          kept,
          no.filter((kind) => all.every((one) => one.kind !== kind)),
        );
      }),
    );
  });

  test("given entries that fit nothing or two findings of one source, says so", () => {
    const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(16)) as [string, string, string];
    const entries = [
      { fingerprint: a, reason: "Known.", finding: "n-plus-one GET api.test/a" },
      { fingerprint: b, reason: "Known." },
      { fingerprint: c, reason: "Known." },
    ];
    const occurring = [
      { fingerprint: b, source: "one.har" },
      { fingerprint: b, source: "two.har" },
      { fingerprint: c, source: "two.har" },
      { fingerprint: c, source: "two.har" },
    ];
    assert.equal(acceptanceNotes("weir.accepted.json", entries, occurring), [
      `weir.accepted.json: ${a} (n-plus-one GET api.test/a) fits no finding.`,
      `weir.accepted.json: ${c} fits 2 findings of two.har, and accepts them all.`,
    ]);
  });
});
