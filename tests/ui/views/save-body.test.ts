import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { bodyFileName } from "../../../src/ui/views/save-body.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const ID = 7 as ExchangeId;

describe("body download", (test) => {
  test("given a target, the file is named after its last segment, without the query", () => {
    assert.is(bodyFileName("/img/logo.svg?v=3", ID), "7-logo.svg");
    assert.is(bodyFileName("/", ID), "response-7");
    assert.is(bodyFileName("/a/..", ID), "response-7");
    assert.is(bodyFileName("/naïve file", ID), "7-na-ve-file");
  });

  test("given any target, the name is no path and no hidden file, and short", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (target) => {
        assert.match(bodyFileName(target, ID), /^(?:7-|response-7$)[\w.-]{0,80}$/);
      }),
    );
  });
});
