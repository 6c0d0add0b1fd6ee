import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { authorityOf } from "../../../../extensions/proxy/data-thread/network/origin.ts";
import { describe } from "../../../support/describe.ts";

describe("an authority", (test) => {
  test("given a name of any length, is read up to 300 characters with its port", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 65_535 }), (length, port) => {
        const host = "n".repeat(length);
        const text = `${host}:${port}`;
        assert.equal(authorityOf(text), text.length <= 300 ? { host, port } : null);
      }),
    ));
});
