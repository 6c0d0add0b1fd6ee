import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { pathGraphOf } from "../../../../src/engine/insights/links/critical-paths.ts";
import type { WalkPosition } from "../../../../src/engine/insights/links/walks.ts";
import type { Link } from "../../../../src/engine/model/link.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { chainRecordsOf, chainsFoundOf } from "../../../../src/engine/session/evaluation/chain-records.ts";
import { describe } from "../../../support/describe.ts";

const NO_LINKS = { links: [], orders: [], named: new Map(), longPolls: new Set<ExchangeId>() };

describe("chain records", (test) => {
  test("given places in walks, tells each after a copy to another thread, and of no other exchange", () => {
    const position = fc.record({
      walk: fc.nat(99),
      value: fc.option(fc.string({ unit: "grapheme", maxLength: 8 })),
    });
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40)), fc.array(position, { minLength: 41, maxLength: 41 }), (ids, drawn) => {
        const positions = new Map<ExchangeId, WalkPosition>(
          ids.map((id) => {
            const { walk, value } = drawn[id] ?? { walk: 0, value: null };
            return [id as ExchangeId, { walk, link: value === null ? null : linkTo(id, value) }];
          }),
        );
        const records = structuredClone(chainRecordsOf({ walks: [], positions }, pathGraphOf([], NO_LINKS), 300));
        const { positionOf, chainGap, progress } = chainsFoundOf(records, { progress: 0.5, leftOut: 0 });
        assert.equal([chainGap, progress], [300, 0.5]);
        for (let id = 0; id <= 41; id += 1) {
          const found = positionOf(id as ExchangeId);
          assert.equal(found === null ? undefined : { ...found }, positions.get(id as ExchangeId));
        }
      }),
    );
  });
});

function linkTo(id: number, value: string): Link {
  const evidence = { source: "body", name: null, value };
  return { from: 0 as ExchangeId, to: id as ExchangeId, kind: "proven", basis: "value", gap: 5, evidence };
}
