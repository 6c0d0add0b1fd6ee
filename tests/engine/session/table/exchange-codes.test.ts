import * as assert from "uvu/assert";
import { MARKS } from "../../../../src/engine/model/annotation.ts";
import { ERROR_TYPES, type Outcome, TAGS } from "../../../../src/engine/model/exchange.ts";
import { WAITED_FOR } from "../../../../src/engine/model/phases.ts";
import {
  connectionCodeOf,
  connectionOf,
  markCodeOf,
  markOf,
  outcomeCodeOf,
  outcomeOf,
  reuseCodeOf,
  reusedOf,
  tagBits,
  tagsOf,
  waitedForOf,
} from "../../../../src/engine/session/table/exchange-codes.ts";
import { describe } from "../../../support/describe.ts";

describe("codes of an exchange", (test) => {
  test("every outcome comes back, with its status and its detail", () => {
    const failures = ERROR_TYPES.flatMap((errorType): Outcome[] => [
      { kind: "failed", errorType, detail: "gone", status: null },
      { kind: "failed", errorType, detail: "gone", status: 502 },
    ]);
    for (const outcome of [{ kind: "responded", status: 204 } as const, ...failures])
      assert.equal(outcomeOf(outcomeCodeOf(outcome), outcome.status ?? 0, "gone"), outcome);
  });

  test("tags, marks and connections come back, and are told apart", () => {
    assert.equal(tagsOf(tagBits(TAGS)), TAGS);
    for (const tag of TAGS) assert.equal(tagsOf(tagBits([tag])), [tag]);
    for (const mark of [null, ...MARKS]) assert.is(markOf(markCodeOf(mark)), mark);
    for (const connection of [null, 0, 1, 2 ** 32 - 2])
      assert.is(connectionOf(connectionCodeOf(connection)), connection);
  });

  test("whether a connection was used again and what was waited for lie in one number", () => {
    for (const reused of [null, false, true])
      for (const waitedFor of [null, ...WAITED_FOR]) {
        const code = reuseCodeOf(reused, waitedFor);
        assert.equal([reusedOf(code), waitedForOf(code)], [reused, waitedFor]);
      }
  });

  test("a row of which nothing was written says that nothing is known", () => {
    assert.is(outcomeOf(0, 0, ""), null);
    assert.equal([tagsOf(0), markOf(0), connectionOf(0)], [[], null, null]);
    assert.equal([reusedOf(0), waitedForOf(0)], [null, null]);
  });
});
