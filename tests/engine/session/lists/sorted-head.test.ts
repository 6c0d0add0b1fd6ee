import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { filter, judgeOf } from "../../../support/list-questions.ts";
import { rounds } from "../../../support/rounds.ts";

/** Far more rows than are kept beyond a range. */
const MANY = 700;

/** The oldest take longest, so that the row cap evicts the first of them; some end later, or are refused. */
function drawn(index: number, dice: number): Exchange {
  const latency = dice % 3 === 0 ? (dice % 400) + 1 : 1_000 - index;
  const status = dice % 5 === 0 ? 500 : 200;
  return exchange({ id: index + 1, start: index, end: index + latency, status, target: `/${dice % 50}` });
}

describe("the first rows of a list", (test) => {
  test("given any additions, changes and evictions, are those that a new list finds", () => {
    const sort = fc.record({
      column: fc.constantFrom("latency" as const, "path" as const, "status" as const),
      descending: fc.boolean(),
    });
    const step = fc.record({
      kind: fc.constantFrom("begin", "begin", "end", "end", "read", "read", "annotation", "leave"),
      dice: fc.nat(10_000),
      many: fc.integer({ min: 1, max: 60 }),
    });
    const steps = fc.array(step, { minLength: 20, maxLength: 40 });
    const range = fc.record({ from: fc.nat(5), count: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(
        fc.nat(999),
        sort,
        range,
        fc.constantFrom("", "status:200"),
        steps,
        (seed, sorted, window, word, all) => {
          const session = new Session();
          const open: ReturnType<typeof eventsOf>[] = [];
          const begin = (dice: number): void => {
            const [started, ...later] = eventsOf(drawn(session.exchanges, dice));
            if (started !== undefined) session.apply([started]);
            open.push(later);
          };
          const end = (dice: number): void => session.apply(open.splice(dice % Math.max(1, open.length), 1).flat());
          for (let index = 0; index < MANY; index += 1) {
            begin((index * (seed + 7_919)) % 10_007);
            if (index % 4 > 0) end(index);
          }
          const list = new TrafficList(session, filter(word));
          for (const { kind, dice, many } of all) {
            for (let time = 0; time < many; time += 1) {
              if (kind === "begin") begin(dice + time);
              if (kind === "end") end(dice + time);
              if (kind === "annotation")
                session.annotate(session.table.ids.at(dice % MANY) as Exchange["id"], { mark: "star", comment: "" });
            }
            if (kind === "leave")
              session.setRowCap(Math.max(1, session.table.nextRow - session.table.firstRow - 2 * many));
            const evaluator = judgeOf(session);
            const expected = new TrafficList(session, filter(word)).read(sorted, window, evaluator);
            assert.equal(list.read(sorted, window, evaluator), expected);
          }
        },
      ),
      { numRuns: rounds(60) },
    );
  });
});
