import * as assert from "uvu/assert";
import { capitalized, lowered } from "../../../src/engine/model/letter-case.ts";
import { describe } from "../../support/describe.ts";

describe("letter case of a text's beginning", (test) => {
  test("given a text, only its first letter changes", () => {
    assert.is(lowered("The server reset TLS"), "the server reset TLS");
    assert.is(capitalized("the server reset TLS"), "The server reset TLS");
    assert.is(lowered(""), "");
    assert.is(capitalized(""), "");
  });
});
