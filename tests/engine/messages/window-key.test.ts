import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Encounter, keyText, proofText, ticketText } from "../../../src/engine/messages/window-key.ts";
import { describe } from "../../support/describe.ts";

const word = fc.stringMatching(/^[\w:/.-]{1,20}$/);
const encounters = fc.record({ origin: word, key: word, pageNonce: word, engineNonce: word });

describe("window key proofs", (test) => {
  test("given two encounters or two sides, their proofs differ", () => {
    fc.assert(
      fc.property(encounters, encounters, (one: Encounter, other: Encounter) => {
        assert.is.not(proofText("page", one), proofText("engine", other));
        assert.is(proofText("page", one) === proofText("page", other), JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  test("given the same words, key, ticket and proof differ", () => {
    fc.assert(
      fc.property(encounters, word, word, (encounter, salt, origin) => {
        const texts = [keyText(salt, origin), ticketText(salt), proofText("page", encounter)];
        assert.is(new Set(texts).size, 3);
      }),
    );
  });
});
