import * as assert from "uvu/assert";
import { describe } from "../support/describe.ts";

const { getOwnPropertyNames } = Object;

describe("deferred reading of global names", (test) => {
  test("given a library that reads all global names, defers the reading, does it once, and restores the function", async () => {
    const { restoreGlobals, readGlobals } = await import("../../src/ui/globals.ts");
    const visited: string[] = [];
    // As @alpinejs/csp does when it is loaded.
    Object.getOwnPropertyNames(globalThis).forEach((name) => {
      visited.push(name);
    });
    assert.equal(Object.getOwnPropertyNames({ one: 1, two: 2 }), ["one", "two"]);
    restoreGlobals();
    assert.is(Object.getOwnPropertyNames, getOwnPropertyNames);
    assert.equal(visited, []);
    await readGlobals();
    assert.equal(visited, getOwnPropertyNames(globalThis));
    await readGlobals();
    assert.is(visited.length, getOwnPropertyNames(globalThis).length, "not a second time");
  });
});
