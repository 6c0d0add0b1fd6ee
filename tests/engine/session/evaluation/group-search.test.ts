import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { intervalOf } from "../../../../src/engine/insights/interval.ts";
import { groupRecordsOf, groupsFoundOf } from "../../../../src/engine/session/evaluation/group-search.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { groupsByPairs } from "../../../support/interval-order.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

/** Few different starts, so that many are equal; the last byte may be sent long before the end. */
const sketch = fc.record({
  start: fc.nat(12),
  length: fc.nat(6),
  spoken: fc.nat(6),
  failed: fc.boolean(),
  client: fc.constantFrom("x", "y"),
  status: fc.constantFrom(200, 200, 200, 101),
});

describe("search for groups", (test) => {
  test("parallel groups are those of every pair, whenever the last byte went out and in whatever order rows came", () => {
    const outcome = { kind: "failed", errorType: "server-closed", detail: "It is gone.", status: 502 } as const;
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 16 }), (sketches) => {
        const exchanges = sketches.map(({ start, length, spoken, failed, client, status }, index) => {
          const responseEnd = failed ? null : start + Math.min(spoken, length);
          const fate = failed ? { outcome } : { status };
          return exchange({ id: index + 1, start, end: start + length, client, instants: { responseEnd }, ...fate });
        });
        const records = groupRecordsOf(recorded(exchanges));
        const { groups, groupOf } = groupsFoundOf(structuredClone(records));
        const found = groups.map(({ exchanges: ids }) => ids.toSorted((left, right) => left - right).join());
        for (const { id } of exchanges)
          assert.is(groupOf(id), groups.find((group) => group.exchanges.includes(id))?.exchanges[0] ?? null);
        assert.equal(found.toSorted(), groupsByPairs(exchanges.flatMap((one) => intervalOf(one) ?? [])).toSorted());
      }),
      { numRuns: rounds(500) },
    );
  });
});
