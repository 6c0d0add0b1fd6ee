import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { nameOf } from "../../../src/ui/format/session-name.ts";
import { describe } from "../../support/describe.ts";

describe("session name in the window", (test) => {
  test("given a name, a title and a start, shows the first that there is; the current session has its own", () => {
    const startedAt = new Date(2026, 2, 1, 14, 2, 11).getTime() as Instant;
    assert.is(
      nameOf({ name: "Before the cache", title: "shop.test", state: "completed", startedAt }),
      "Before the cache",
    );
    const titled = nameOf({ name: "", title: "shop.test, Chrome", state: "recovered", startedAt });
    assert.is(titled, "shop.test, Chrome, 14:02");
    assert.is(nameOf({ name: "", title: "", state: "completed", startedAt }), "Session of 2026-03-01 14:02:11");
    assert.is(nameOf({ name: "", title: "shop.test", state: "current", startedAt }), "Current session");
  });
});
