import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { nameOf } from "../../../src/ui/format/session-name.ts";
import { describe } from "../../support/describe.ts";

describe("the name of a session", (test) => {
  test("its label, or else its start; the one being recorded has none", () => {
    const startedAt = new Date(2026, 2, 1, 14, 2, 11).getTime() as Instant;
    assert.is(nameOf({ name: "Before the cache", state: "completed", startedAt }), "Before the cache");
    assert.is(nameOf({ name: "", state: "completed", startedAt }), "Session of 2026-03-01 14:02:11");
    assert.is(nameOf({ name: "", state: "current", startedAt }), "Current session");
  });
});
