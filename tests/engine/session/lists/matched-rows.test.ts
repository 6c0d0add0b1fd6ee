import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Matcher } from "../../../../src/engine/session/filter/matcher.ts";
import { MatchedRows } from "../../../../src/engine/session/lists/matched-rows.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { filter } from "../../../support/list-questions.ts";

describe("the rows that match a filter", (test) => {
  test("given events one by one, are those of a new scan, and the observer learns which rows were tested again", () => {
    const words = fc.constantFrom("", "status:5xx", "users", "dur>100");
    fc.assert(
      fc.property(anyExchanges(), words, fc.constantFrom(4, 1_000), (exchanges, text, cap) => {
        const session = new Session(cap);
        const matcherOf = () => new Matcher(session.table, filter(text));
        let before = new Set<number>();
        const changed = new Set<number>();
        let isCleared = false;
        const rows = new MatchedRows(session, matcherOf(), null, {
          clear: () => {
            isCleared = true;
          },
          change: (row) => changed.add(row),
        });
        for (const event of exchanges.flatMap(eventsOf)) {
          session.apply([event]);
          changed.clear();
          isCleared = false;
          const now = [...rows.rows().view()];
          assert.equal(now, [...new MatchedRows(session, matcherOf()).rows().view()]);
          if (!isCleared) for (const row of now) assert.ok(before.has(row) || changed.has(row));
          before = new Set(now);
        }
      }),
    );
  });
});
