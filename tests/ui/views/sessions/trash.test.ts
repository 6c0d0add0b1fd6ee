import * as assert from "uvu/assert";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { trashRowOf, trashText } from "../../../../src/ui/views/sessions/trash.ts";
import { describe } from "../../../support/describe.ts";

const AT = 1_700_000_000_000 as Instant;
const SESSION = { id: "a", name: "", title: "", startedAt: AT, exchanges: 12_402, size: 12_800_000, trashedAt: AT };

describe("trash of the Sessions view", (test) => {
  test("given a session without a name, the row names its start", () => {
    const { name, exchanges, size } = trashRowOf(SESSION);
    assert.match(name, /^Session of 2023-11-1\d /);
    assert.equal([exchanges, size], ["12,402", "12.2 MB"]);
    assert.is(trashRowOf({ ...SESSION, name: "Checkout" }).name, "Checkout");
    assert.match(trashText([SESSION, SESSION]), /^2 sessions, 24\.4 MB\. /);
  });
});
