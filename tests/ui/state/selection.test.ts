import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { Selection } from "../../../src/ui/state/selection.ts";
import { describe } from "../../support/describe.ts";

describe("selected exchange and rows", (test) => {
  test("given a change, keeps other values, freezes the result, and notifies only those who still watch", () => {
    const selection = new Selection();
    const seen: (number | null)[] = [];
    const stop = selection.watch(({ exchange }) => seen.push(exchange));
    selection.set({ exchange: 7 as ExchangeId });
    selection.set({ view: "performance" });
    stop();
    selection.set({ exchange: null });
    assert.equal(seen, [7, 7]);
    assert.is(selection.now.view, "performance");
    assert.ok(Object.isFrozen(selection.now));
  });
});
