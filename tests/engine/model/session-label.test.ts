import * as assert from "uvu/assert";
import { reportTitleOf, sessionLabelOf } from "../../../src/engine/model/session-label.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";

describe("the label of a session", (test) => {
  test("given a name and a title, is the name; without a name the title", () => {
    const labels = ["Checkout", ""].flatMap((name) =>
      ["shop.test", ""].map((title) => sessionLabelOf({ name, title })),
    );
    assert.equal(labels, ["Checkout", "Checkout", "shop.test", ""]);
  });

  test("given a label or none, a report's title has it or says Session, and the start", () => {
    const startedAt = Date.UTC(2026, 10, 28, 21, 5, 59) as Instant;
    assert.is(reportTitleOf("Checkout", startedAt), "Checkout, 2026-11-28 21:05 UTC");
    assert.is(reportTitleOf("", startedAt), "Session, 2026-11-28 21:05 UTC");
  });
});
