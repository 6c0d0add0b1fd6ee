import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { chosenSession } from "../../../extensions/proxy/storage/session-choice.ts";
import { newFacts, newSessionId, type SessionFacts } from "../../../extensions/proxy/storage/session-facts.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";

function session(at: number, name: string, state: SessionFacts["state"] = "completed", title = ""): SessionFacts {
  const start = at as Instant;
  const endedAt = state === "current" ? null : ((at + 1_000) as Instant);
  return { ...newFacts(newSessionId(start), start), name, title, state, endedAt };
}

describe("the session that --session names", (test) => {
  test("given an id, a word or a name, finds it; a name goes before a title", () => {
    const [first, second, third] = [
      session(1_000, "before"),
      session(9_000, "after", "completed", "shop.test, Chrome"),
      session(99_000, "", "current", "shop.test, Chrome"),
    ] as const;
    const all = [first, second, third];
    const found = (wanted: string) => unwrap(chosenSession(all, wanted));
    assert.equal([first.id, "before", "current", "newest", "last"].map(found), [first, first, third, third, second]);
    assert.is(found("shop.test, Chrome"), third);
    assert.is(found("absent"), null);
  });

  test("given several sessions of one name, names their ids and chooses none", () =>
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), (count) => {
        const all = Array.from({ length: count }, (_, index) => session(index * 5_000, "twin"));
        const chosen = chosenSession(all, "twin");
        for (const { id } of all) assert.match(chosen.ok ? "" : chosen.problem, id);
      }),
    ));
});
