import * as assert from "uvu/assert";
import { StoredFigures } from "../../extensions/proxy/stored-figures.ts";
import { figuresOf } from "../../src/engine/session/figures.ts";
import { describe } from "../support/describe.ts";
import { exchange } from "../support/exchange.ts";
import { recorded } from "../support/recorded.ts";

describe("stored figures", (test) => {
  test("they are read as they were written; what is damaged is none", () => {
    const written = figuresOf(recorded([1, 2, 3, 4, 5].map((id) => exchange({ id, target: "/a", end: 100 }))));
    assert.equal(figuresIn(JSON.parse(JSON.stringify(written))), written);
    assert.equal(figuresIn(null), null);
    assert.equal(figuresIn({ ...written, bytes: "many" }), null);
    assert.equal(figuresIn({ ...written, endpoints: {} }), null);
    const damaged = { ...written, endpoints: [...written.endpoints, { endpoint: 1 }, null] };
    assert.equal(figuresIn(JSON.parse(JSON.stringify(damaged)))?.endpoints, written.endpoints);
  });

  test("of a session they are read once, until they are forgotten", () => {
    const read: string[] = [];
    const figures = new StoredFigures((id) => {
      read.push(id);
      return null;
    });
    for (const id of ["a", "b", "a"]) assert.is(figures.of(id), null);
    assert.equal(read, ["a", "b"]);
    figures.forget("a");
    figures.of("a");
    assert.equal(read, ["a", "b", "a"]);
  });
});

/** What is made of that which is stored. */
function figuresIn(stored: unknown) {
  return new StoredFigures(() => stored).of("any");
}
