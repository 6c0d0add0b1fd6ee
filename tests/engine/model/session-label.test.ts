import * as assert from "uvu/assert";
import { sessionLabelOf } from "../../../src/engine/model/session-label.ts";
import { describe } from "../../support/describe.ts";

describe("the label of a session", (test) => {
  test("given a name and a title, is the name; without a name the title", () => {
    const labels = ["Checkout", ""].flatMap((name) =>
      ["shop.test", ""].map((title) => sessionLabelOf({ name, title })),
    );
    assert.equal(labels, ["Checkout", "Checkout", "shop.test", ""]);
  });
});
