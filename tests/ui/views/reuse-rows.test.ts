import * as assert from "uvu/assert";
import { reuseIfEqual, reuseRows } from "../../../src/ui/views/reuse-rows.ts";
import { describe } from "../../support/describe.ts";

describe("reuse of unchanged rows", (test) => {
  test("given an equal row, keeps the old object, and given a changed row, takes the new one", () => {
    const before = { text: "a" };
    assert.is(reuseIfEqual(before, { text: "a" }), before);
    const now = { text: "b" };
    assert.is(reuseIfEqual(before, now), now);
  });

  test("given rows in another order, reuses each unchanged row by its key", () => {
    const before = [
      { key: 1, text: "a" },
      { key: 2, text: "b" },
    ] as const;
    const now = reuseRows<{ key: number; text: string }>(before, [
      { key: 3, text: "new" },
      { key: 2, text: "changed" },
      { key: 1, text: "a" },
    ]);
    assert.is(now[2], before[0]);
    assert.equal(now, [
      { key: 3, text: "new" },
      { key: 2, text: "changed" },
      { key: 1, text: "a" },
    ]);
  });
});
