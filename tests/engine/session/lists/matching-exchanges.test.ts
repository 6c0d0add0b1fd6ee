import * as assert from "uvu/assert";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { HEADS_AT_ONCE } from "../../../../src/engine/session/filter/header-reading.ts";
import {
  atOnce,
  inSlices,
  type MatchingSource,
  pickedExchanges,
} from "../../../../src/engine/session/lists/matching-exchanges.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const sort = { column: "size", descending: true } as const;

function sourceOf(session: Session): MatchingSource {
  return { session, settings: DEFAULT_SETTINGS, headsOf: () => null, insights: null };
}

describe("matching exchanges", (test) => {
  test("given selected ranges, returns the exchanges between their ends in the list's order", () => {
    const sizes = [30, 10, 20, 40];
    const session = recorded(sizes.map((encodedBodySize, index) => exchange({ id: index + 1, encodedBodySize })));
    const picked = (...stretches: (readonly [number | null, number | null])[]) =>
      atOnce(
        pickedExchanges(sourceOf(session), {
          filter: "",
          sort,
          stretches: stretches.map(([from, to]) => ({ from: from as ExchangeId, to: to as ExchangeId })),
        }),
      );
    assert.equal(unwrap(picked([1, 3])), [1, 3]);
    assert.equal(unwrap(picked([null, 1])), [1, 4]);
    assert.equal(unwrap(picked([4, 4], [2, null])), [2, 4]);
    assert.equal(unwrap(picked()), []);
  });

  test("given many rows, unread heads and many conditions, each slice reads and tests few, also if paths are grouped anew", async () => {
    const session = recorded(
      Array.from({ length: 5_000 }, (_, index) => exchange({ id: index + 1, target: `/${index % 9}` })),
    );
    let heads = 0;
    const source = {
      ...sourceOf(session),
      headsOf: (id: number) => {
        heads += 1;
        return { target: "", request: `GET / HTTP/1.1\r\nX-A: ${id % 2}\r\n\r\n`, response: null };
      },
    };
    const conditions = Array.from({ length: 99 }, (_, index) => `-q.n${index}:1`);
    const wanted = { filter: ["req.x-a:1", ...conditions].join(" "), sort, stretches: [{ from: null, to: null }] };
    const headsRead: number[] = [];
    const slices = inSlices(pickedExchanges(source, wanted), async () => {
      headsRead.push(heads);
      heads = 0;
      if (headsRead.length === 21) session.regroup(new PathTemplates());
    });
    const picked = unwrap(await slices);
    assert.ok(Math.max(...headsRead) <= HEADS_AT_ONCE);
    // 2,000 rows at once, and again from the first one once endpoints have other numbers.
    assert.is(headsRead.filter((read) => read === 0).length, 3);
    assert.equal(
      picked,
      Array.from({ length: 2_500 }, (_, index) => 2 * index + 1),
    );
  });
});
