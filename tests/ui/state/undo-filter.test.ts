import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { Selection } from "../../../src/ui/state/selection.ts";
import { UndoStack } from "../../../src/ui/state/undo.ts";
import { undoFilter } from "../../../src/ui/state/undo-filter.ts";
import { describe } from "../../support/describe.ts";

function started() {
  const [selection, undo, clock] = [new Selection(), new UndoStack(), { at: 0 }];
  undoFilter(selection, undo, () => clock.at as Instant);
  return { selection, undo, clock };
}

describe("undo of filter changes", (test) => {
  test("given filters with pauses between, each undo brings back the one before", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("", "a", "b", "host:c"), { maxLength: 20 }), async (filters) => {
        const { selection, undo, clock } = started();
        const before: string[] = [];
        for (const filter of filters) {
          if (filter !== selection.now.filter) before.push(selection.now.filter);
          selection.set({ filter });
          selection.set({ view: "timeline" });
          clock.at += 1_000;
        }
        for (const filter of before.reverse()) {
          assert.match(await undo.undo(), /^Filter/);
          assert.is(selection.now.filter, filter);
        }
        assert.is(await undo.undo(), "There is nothing to undo.");
      }),
    ));

  test("given a word that is typed, one undo removes it, and none if it was deleted again", async () => {
    const { selection, undo, clock } = started();
    const type = (...filters: string[]) => {
      for (const filter of filters) {
        clock.at += 300;
        selection.set({ filter });
      }
    };
    type("s", "st", "sta", "stat", "stats");
    await undo.undo();
    assert.is(selection.now.filter, "");
    clock.at += 5_000;
    type("a", "ab", "a", "");
    assert.is(await undo.undo(), "There is nothing to undo.");
    type("x");
    undo.push({ offer: "", undo: () => "Another." });
    type("xy");
    await undo.undo();
    assert.is(selection.now.filter, "x", "what was done in between is between");
  });
});
