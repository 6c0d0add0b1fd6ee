import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { withWholeTarget } from "../../../src/engine/interchange/whole-target.ts";
import { abbreviatedTarget } from "../../../src/engine/model/endpoint.ts";
import { latin1OfText } from "../../../src/engine/quoting/utf8.ts";
import { anyPath } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const target = fc.tuple(anyPath, fc.nat(30_000)).map(([path, length]) => `${path || "/"}?q=${"é".repeat(length)}`);

describe("whole request target", (test) => {
  test("given what storage keeps, is the target as sent", () =>
    fc.assert(
      fc.property(target, (sent) => {
        const kept = { ...exchange({}), target: abbreviatedTarget(sent) };
        assert.is(withWholeTarget(kept, { target: latin1OfText(sent) }).target, sent);
      }),
    ));

  test("given an exchange that is no longer stored, stays abbreviated", () => {
    const kept = { ...exchange({}), target: abbreviatedTarget(`/${"a".repeat(5_000)}`) };
    assert.is(withWholeTarget(kept, null), kept);
  });
});
