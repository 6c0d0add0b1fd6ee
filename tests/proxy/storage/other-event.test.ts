import * as assert from "uvu/assert";
import { otherEventOf, otherEventText } from "../../../extensions/proxy/storage/other-event.ts";
import type { PageDescribed } from "../../../src/engine/capture/event.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
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

  test("given a page of a HAR file, reads it as it was written, and leaves out a damaged one", () => {
    const page: PageDescribed = {
      ...{ type: "page-described", page: "page_1", title: "Shop", at: 5 as Instant },
      marks: new Map([["onLoad", 700]]),
    };
    assert.equal(otherEventOf(otherEventText(page)), page);
    assert.equal(otherEventOf(otherEventText({ ...page, at: null })), { ...page, at: null });
    const written = JSON.parse(otherEventText(page));
    for (const damaged of [{ page: 1 }, { title: null }, { at: "5" }, { marks: {} }])
      assert.is(otherEventOf(JSON.stringify({ ...written, ...damaged })), null, JSON.stringify(damaged));
    const odd = otherEventOf(JSON.stringify({ ...written, marks: [["onLoad"], 7, ["a", 1]] }));
    assert.equal(odd?.type === "page-described" && [...odd.marks], [["a", 1]]);
  });
});
