import * as assert from "uvu/assert";
import { UNKNOWN_YET } from "../../../src/engine/model/exchange.ts";
import {
  KEPT,
  KEPT_FROM_END,
  KEPT_FROM_START,
  KEPT_NAMES,
  type Packing,
} from "../../../src/engine/model/exchange-fields.ts";
import { describe } from "../../support/describe.ts";

describe("fields that an exchange keeps", (test) => {
  test("given any of them, it is null until its event, and may be missing there", () => {
    for (const name of KEPT_NAMES) {
      const { as }: Packing = KEPT[name];
      assert.is(UNKNOWN_YET[name], null, name);
      assert.ok(as === "nullable" || as === "optional", name);
    }
  });

  test("given both events, no name is in both", () => {
    assert.is(KEPT_NAMES.length, Object.keys(KEPT_FROM_START).length + Object.keys(KEPT_FROM_END).length);
  });
});
