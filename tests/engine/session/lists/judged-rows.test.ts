import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Matcher } from "../../../../src/engine/session/filter/matcher.ts";
import { JudgedRows } from "../../../../src/engine/session/lists/judged-rows.ts";
import { MatchedRows } from "../../../../src/engine/session/lists/matched-rows.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { filter, judgeOf } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

const WORDS = ["slow:", "oversized:", "-slow:", "status:5xx", "users", "dur>100", "error:", "finding:errors"];

/** Conditions joined by OR, in groups, some of them negated. */
const FILTERS = fc
  .array(fc.tuple(fc.boolean(), fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((groups) => groups.map(([isNot, words]) => `${isNot ? "-" : ""}(${words.join(" OR ")})`).join(" "));

describe("rows by conditions that depend on statistics", (test) => {
  test("given any filter, are the rows that match one by one, also after more was captured", () => {
    fc.assert(
      fc.property(
        FILTERS,
        anyExchanges(),
        anyExchanges(),
        fc.integer({ min: 1, max: 9 }),
        (text, first, more, most) => {
          const session = new Session();
          const matcher = new Matcher(session.table, filter(text));
          const own = new MatchedRows(session, matcher);
          const judged = new JudgedRows(session, matcher.judged);
          let id = 0;
          for (const exchanges of [first, more]) {
            for (const one of exchanges) {
              id += 1;
              session.apply(eventsOf({ ...one, id: id as typeof one.id }));
            }
            judged.advance(most);
            const evaluator = judgeOf(session);
            const one = new Matcher(session.table, filter(text));
            const { firstRow, nextRow } = session.table;
            const rows = Array.from({ length: nextRow - firstRow }, (_, place) => firstRow + place);
            assert.equal(
              [...judged.among(own.rows().view(), evaluator)],
              rows.filter((row) => one.matches(row) && one.matchesNow(row, evaluator)),
            );
          }
        },
      ),
      { numRuns: rounds(200) },
    );
  });

  test("given many rows of which few are slow, tests none of them by itself", () => {
    const session = recorded(
      Array.from({ length: 2_000 }, (_, index) =>
        exchange({ id: index + 1, start: index * 10, end: index * 10 + (index % 100 === 99 ? 900 : 5) }),
      ),
    );
    const evaluator = judgeOf(session);
    let tested = 0;
    const isSlow = evaluator.isSlow.bind(evaluator);
    evaluator.isSlow = (row) => {
      tested += 1;
      return isSlow(row);
    };
    const { judged } = new Matcher(session.table, filter("slow: OR status:404"));
    const rows = Uint32Array.from({ length: 2_000 }, (_, row) => row);
    assert.is(new JudgedRows(session, judged).among(rows, evaluator).length, 20);
    assert.is(tested, 0);
  });
});
