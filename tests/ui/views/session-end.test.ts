import * as assert from "uvu/assert";
import type { Shown } from "../../../src/engine/messages/session-messages.ts";
import type { Summary } from "../../../src/engine/messages/status-messages.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { sessionEndOf } from "../../../src/ui/views/session-end.ts";
import { describe } from "../../support/describe.ts";

const NOW = 9_000_000 as Instant;
const SUMMARY = { sessionStart: 1_000 as Instant, sliceLength: 50, slices: new Array(4) } as unknown as Summary;
const STORED = {
  kind: "stored",
  session: "s",
  name: "",
  startedAt: 0,
  endedAt: null,
  problem: null,
} as unknown as Shown;

describe("the end of the session that is shown", (test) => {
  test("the recorded one lasts until now", () => {
    assert.is(sessionEndOf(SUMMARY, { kind: "current" }, NOW), NOW);
    assert.is(sessionEndOf(SUMMARY, undefined, NOW), NOW);
  });

  test("a stored one lasts as long as something happened in it, however long ago", () => {
    assert.is(sessionEndOf(SUMMARY, STORED, NOW), 1_200);
    assert.is(sessionEndOf({ ...SUMMARY, sessionStart: null }, STORED, NOW), NOW);
  });
});
