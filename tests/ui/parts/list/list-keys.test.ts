import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { indexAfter } from "../../../../src/ui/parts/list/list-keys.ts";
import { describe } from "../../../support/describe.ts";

const position = fc.record({
  active: fc.integer({ min: -1, max: 500 }),
  first: fc.nat(500),
  page: fc.integer({ min: 1, max: 50 }),
  count: fc.nat(600),
});

describe("list keys", (test) => {
  test("given j or k, moves as the arrow keys do", () =>
    fc.assert(
      fc.property(position, (at) => {
        assert.is(indexAfter("j", at), indexAfter("ArrowDown", at));
        assert.is(indexAfter("k", at), indexAfter("ArrowUp", at));
        assert.is(indexAfter("ArrowDown", at), at.active < 0 ? at.first : at.active + 1);
      }),
    ));

  test("given any other letter, moves nowhere", () =>
    fc.assert(
      fc.property(position, fc.constantFrom(..."abcdefghilmnopqrstuvwxyz"), (at, key) =>
        assert.is(indexAfter(key, at), null),
      ),
    ));
});
