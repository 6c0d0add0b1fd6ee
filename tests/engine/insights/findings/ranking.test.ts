import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { passesGate } from "../../../../src/engine/insights/findings/gate.ts";
import { ranked } from "../../../../src/engine/insights/findings/ranking.ts";
import { FINDING_KINDS, type Finding } from "../../../../src/engine/model/finding.ts";
import { describe } from "../../../support/describe.ts";

const finding = (part: Partial<Finding>): Finding => ({
  kind: "redirects",
  endpoint: null,
  origin: null,
  client: null,
  attribute: null,
  count: 1,
  time: null,
  bytes: null,
  confidence: "certain",
  exchanges: [],
  summary: "",
  advice: "",
  evidence: [],
  basis: "",
  ...part,
});

const drawn = fc
  .record({
    kind: fc.constantFrom(...FINDING_KINDS),
    time: fc.option(fc.integer({ min: 0, max: 1_000 })),
    bytes: fc.option(fc.integer({ min: 0, max: 1_000 })),
    count: fc.integer({ min: 1, max: 9 }),
    confidence: fc.constantFrom("certain", "likely", "possible" as const),
  })
  .map(finding);

describe("finding rank", (test) => {
  test("given any findings, they come by time, bytes and count among the sure and among the possible ones", () => {
    fc.assert(
      fc.property(fc.array(drawn), (list) => {
        const order = ranked(list);
        assert.is(order.length, list.length);
        for (const isPossible of [true, false]) {
          const own = order.filter(({ confidence }) => (confidence === "possible") === isPossible);
          for (const [index, next] of own.slice(1).entries()) {
            const before = own[index] as Finding;
            const costs = ({ time, bytes, count }: Finding) => [time ?? -1, bytes ?? -1, count];
            const difference =
              costs(before)
                .map((cost, at) => cost - (costs(next)[at] ?? 0))
                .find((one) => one !== 0) ?? 0;
            assert.ok(difference >= 0);
          }
        }
      }),
    );
  });

  test("given any findings, no possible one stands above a surer one of at least half its time, and none stands lower than it must", () => {
    fc.assert(
      fc.property(fc.array(drawn), (list) => {
        const order = ranked(list);
        for (const [index, above] of order.entries())
          for (const below of order.slice(index + 1)) {
            if (above.confidence === "possible" && below.confidence !== "possible")
              assert.ok((below.time ?? 0) < (above.time ?? 0) / 2);
            if (above.confidence !== "possible" && below.confidence === "possible" && order[index + 1] === below)
              assert.ok((above.time ?? 0) >= (below.time ?? 0) / 2);
          }
      }),
    );
  });

  test("given another order of the same findings, the rank is the same", () => {
    fc.assert(fc.property(fc.array(drawn), (list) => assert.equal(ranked(list.toReversed()), ranked(list))));
  });
});

describe("finding rank off the critical path", (test) => {
  test("given findings of equal time, those beside the path of each load come last", () => {
    const times = fc.array(fc.record({ time: fc.integer({ min: 0, max: 3 }), atMost: fc.constantFrom(0, 50) }));
    fc.assert(
      fc.property(times, (list) => {
        const both = (atMost: number) => ({ byLinks: 0, atMost });
        const order = ranked(
          list.map(({ time, atMost }) => {
            const sums = { median: both(atMost), sum: both(atMost), duration: 900 };
            return finding({ time, loadGain: { unit: "load", units: 1, onPath: 0, perhaps: 1, ...sums } });
          }),
        );
        const keys = order.map(({ time, loadGain }) => -(time ?? 0) * 2 + Number(loadGain?.sum.atMost === 0));
        assert.equal(
          keys,
          keys.toSorted((one, other) => one - other),
        );
      }),
    );
  });
});

describe("thresholds of findings", (test) => {
  const totals = { waiting: 10_000, bytes: 10_000_000 };
  const passes = (part: Partial<Finding>) => passesGate(finding(part), totals);

  test("given time, both 100 ms and 2 % of the waiting are needed", () => {
    assert.equal([passes({ time: 200 }), passes({ time: 199 })], [true, false]);
    assert.equal(
      [100, 99].map((time) => passesGate(finding({ time }), { waiting: 100, bytes: 1 })),
      [true, false],
    );
  });

  test("given bytes, both 256 KB and 5 % of all bytes are needed", () => {
    assert.equal([passes({ bytes: 500_000 }), passes({ bytes: 499_999 })], [true, false]);
    assert.equal(
      [262_144, 262_143].map((bytes) => passesGate(finding({ bytes }), { waiting: 1, bytes: 1 })),
      [true, false],
    );
  });

  test("given three occurrences, errors, limits and retries pass, and no other kind", () => {
    const passed = FINDING_KINDS.filter((kind) => passes({ kind, count: 3 }));
    assert.equal([...passed].sort(), ["errors", "rate-limited", "retries"]);
    assert.equal(
      FINDING_KINDS.filter((kind) => passes({ kind, count: 2 })),
      [],
    );
  });
});
