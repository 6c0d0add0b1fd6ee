import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { slowAmong } from "../../../../src/engine/session/evaluation/slow-cause-search.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { IS_QUICK, rounds } from "../../../support/rounds.ts";

describe("search for slow rows", (test) => {
  test("given few or many slow rows, finds the same slow rows as a check of each row", () => {
    const sketch = fc.record({
      latency: fc.integer({ min: 0, max: 400 }),
      target: fc.constantFrom("/a", "/a", "/b"),
      status: fc.constantFrom(200, 200, 200, 500),
      tags: fc.constantFrom([], [], [], ["probe" as const], ["event-stream" as const]),
      isAsked: fc.boolean(),
      isInFlight: fc.nat(9).map((dice) => dice === 0),
    });
    const sketches = fc.array(sketch, { minLength: 40, maxLength: 90 });
    const thresholds = fc.constantFrom(null, 100, 390);
    const LEAST = IS_QUICK ? 0 : 30;
    const ways = { few: 0, many: 0 };
    fc.assert(
      fc.property(
        sketches,
        thresholds,
        fc.integer({ min: 20, max: 90 }),
        fc.boolean(),
        (drawn, fixedThreshold, cap, all) => {
          const session = new Session(cap);
          for (const [index, { latency, isInFlight, isAsked: _, ...rest }] of drawn.entries()) {
            session.add(exchange({ id: index + 1, start: index, end: isInFlight ? null : index + latency, ...rest }));
          }
          const evaluator = new InsightEvaluator(session, { ...DEFAULT_SETTINGS, fixedThreshold });
          const { firstRow } = session.table;
          const rows = Uint32Array.from(
            drawn.flatMap(({ isAsked }, row) => (row >= firstRow && (all || isAsked) ? row : [])),
          );
          const expected = [...rows].filter((row) => evaluator.isSlow(row));
          ways[expected.length * 4 > rows.length ? "many" : "few"] += 1;
          assert.equal([...slowAmong(session, rows, evaluator)], expected);
        },
      ),
      { numRuns: rounds(300) },
    );
    assert.ok(ways.few > LEAST && ways.many > LEAST, JSON.stringify(ways));
  });
});
