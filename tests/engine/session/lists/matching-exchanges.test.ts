import * as assert from "uvu/assert";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { type MatchingSource, pickedExchanges } from "../../../../src/engine/session/lists/matching-exchanges.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

function sourceOf(session: Session): MatchingSource {
  return { session, settings: DEFAULT_SETTINGS, headsOf: () => null, findings: null };
}

describe("exchanges that match", (test) => {
  test("what is picked is the rows between the ends of the stretches, as they lie in that order", () => {
    const sizes = [30, 10, 20, 40];
    const session = recorded(sizes.map((encodedBodySize, index) => exchange({ id: index + 1, encodedBodySize })));
    const sort = { column: "size", descending: true } as const;
    const picked = (...stretches: (readonly [number | null, number | null])[]) =>
      pickedExchanges(sourceOf(session), {
        filter: "",
        sort,
        stretches: stretches.map(([from, to]) => ({ from: from as ExchangeId, to: to as ExchangeId })),
      });
    assert.equal(unwrap(picked([1, 3])), [1, 3]);
    assert.equal(unwrap(picked([null, 1])), [1, 4]);
    assert.equal(unwrap(picked([4, 4], [2, null])), [2, 4]);
    assert.equal(unwrap(picked()), []);
  });
});
