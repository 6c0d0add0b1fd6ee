import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DeletedRows, storedChange } from "../../../../extensions/proxy/engine-thread/recording/deleted-rows.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { rounds } from "../../../support/rounds.ts";

const idOf = (number: number) => number as ExchangeId;

/** A session of this many exchanges, and the rows that were taken out of its figures or counted again, call by call. */
function stage(count: number) {
  let session = new Session();
  for (let id = 1; id <= count; id += 1) session.add(exchange({ id, start: id, end: id + 5, encodedBodySize: 10 }));
  const rows = new DeletedRows(() => session);
  return {
    rows,
    get session() {
      return session;
    },
    change(gone: readonly number[], back: readonly number[] = []) {
      session = rows.change({ gone: gone.map(idOf), back: back.map(idOf) });
    },
  };
}

describe("deleted rows of an in-memory session", (test) => {
  test("given a deletion, the list lacks the rows at once, and the figures once they were counted", async () => {
    const app = stage(1_000);
    const before = app.session;
    app.change(Array.from({ length: 700 }, (_, index) => index + 1));
    assert.is.not(app.session, before, "what was computed for the session is computed again");
    assert.equal([app.session.table.size, app.session.exchanges], [300, 300]);
    await app.rows.counted();
    assert.equal([app.session.summary.counted, app.session.summary.bytes], [300, 3_000]);
  });

  test("given any deletions and undos in a row, the figures are those of what is left, however they are counted", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(400), { maxLength: 6 }), fc.boolean(), async (steps, atOnce) => {
        const app = stage(400);
        const deleted = new Set<number>();
        for (const upTo of steps) {
          const back = [...deleted].filter((number) => number > upTo);
          const gone = Array.from({ length: upTo }, (_, index) => index + 1).filter((number) => !deleted.has(number));
          app.change(gone, back);
          storedChange({ gone: gone.map(idOf), back: back.map(idOf) })(deleted as Set<ExchangeId>);
        }
        if (atOnce) app.rows.countNow();
        else await app.rows.counted();
        const { table, summary } = app.session;
        assert.equal(
          [table.size, summary.counted, summary.bytes],
          [400 - deleted.size, 400 - deleted.size, 10 * (400 - deleted.size)],
        );
        assert.is(app.session.tallies.counted()[0]?.requests ?? 0, 400 - deleted.size);
      }),
      { numRuns: rounds(30) },
    ));
});
