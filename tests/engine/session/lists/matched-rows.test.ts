import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Matcher } from "../../../../src/engine/session/filter/matcher.ts";
import { endpointsAt, exchangesAt, MatchedRows } from "../../../../src/engine/session/lists/matched-rows.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { filter } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";

describe("matched rows of a filter", (test) => {
  test("given events one by one, are those of a new scan, and the observer learns which rows were tested again", () => {
    const words = fc.constantFrom("", "status:5xx", "users", "dur>100");
    fc.assert(
      fc.property(anyExchanges(), words, fc.constantFrom(4, 1_000), (exchanges, text, cap) => {
        const session = new Session(cap);
        const matcherOf = () => new Matcher(session.table, filter(text));
        let before = new Set<number>();
        const changed = new Set<number>();
        let isCleared = false;
        const rows = new MatchedRows(session, matcherOf(), {
          clear: () => {
            isCleared = true;
          },
          change: (row) => changed.add(row),
        });
        for (const event of exchanges.flatMap(eventsOf)) {
          session.apply([event]);
          changed.clear();
          isCleared = false;
          const now = [...rows.rows()];
          assert.equal(now, [...new MatchedRows(session, matcherOf()).rows()]);
          if (!isCleared) for (const row of now) assert.ok(before.has(row) || changed.has(row));
          before = new Set(now);
        }
      }),
    );
  });
});

describe("lookup in matched rows", (test) => {
  test("given some rows, tells for any exchange and endpoint whether a row has it, even after evictions", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.integer({ min: 1, max: 80 }), fc.nat(), (exchanges, rowCap, bits) => {
        const { table } = recorded(exchanges, rowCap);
        const all = Array.from({ length: table.nextRow - table.firstRow }, (_, index) => table.firstRow + index);
        const rows = Uint32Array.from(all.filter((row) => (bits >> (row % 30)) & 1));
        const [holdsExchange, holdsEndpoint] = [exchangesAt(table, rows), endpointsAt(table, rows)];
        const isAt = ({ id }: { readonly id: number }) => [...rows].some((row) => table.ids.at(row) === id);
        for (const one of exchanges) {
          assert.is(holdsExchange(one.id), isAt(one));
          const { endpoint } = one;
          assert.is(
            holdsEndpoint(endpoint),
            exchanges.some((other) => other.endpoint === endpoint && isAt(other)),
          );
        }
      }),
    );
  });
});
