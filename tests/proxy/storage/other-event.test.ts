import * as assert from "uvu/assert";
import { otherEventOf } from "../../../extensions/proxy/storage/other-event.ts";
import { describe } from "../../support/describe.ts";

describe("events of no exchange, as they are stored", (test) => {
  test("a client's name is read as it was written, and a damaged one is left out", () => {
    const named = { type: "client-named", connection: 3, program: "curl" };
    assert.equal(otherEventOf(JSON.stringify(named)), named);
    const damaged = [
      { ...named, connection: "3" },
      { ...named, connection: undefined },
      { ...named, program: 7 },
      { ...named, program: " \u0007" },
      { ...named, type: "client-renamed" },
    ];
    for (const one of damaged) assert.is(otherEventOf(JSON.stringify(one)), null, JSON.stringify(one));
    assert.is(otherEventOf(JSON.stringify(named).slice(0, -3)), null);
  });

  test("a name from another hand is made fit to be shown", () => {
    const text = JSON.stringify({ type: "client-named", connection: 3, program: `\u202e${"x".repeat(100)}` });
    assert.equal(otherEventOf(text), { type: "client-named", connection: 3, program: "x".repeat(63) });
  });
});
