import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { longPollsOf } from "../../../../src/engine/insights/findings/long-polls.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, type Talk } from "../../../support/linked.ts";
import { resultOf } from "../../../support/slices.ts";

/** A tab that polls: each response comes after `holds` ms, and the next request right after it. */
function tab(begin: number, holds: readonly number[], pause: number): readonly Talk[] {
  let at = begin;
  return holds.map((lasts, index) => {
    const talk: Talk = { at, lasts, target: `/poll?c=${begin}-${index}`, answer: "[]" };
    at += lasts + pause;
    return talk;
  });
}

const holds = fc.array(fc.integer({ min: 5_000, max: 30_000 }), { minLength: 3, maxLength: 6 });

const found = (talks: readonly Talk[]) =>
  resultOf(longPollsOf(factsOf(talks.toSorted((one, other) => one.at - other.at)).map(({ facts }) => facts))).size;

describe("long polls", (test) => {
  test("given several tabs that poll at once, knows all polls", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20_000), holds), { minLength: 1, maxLength: 4 }), (tabs) => {
        const talks = tabs.flatMap(([begin, own]) => tab(begin, own, 20));
        assert.is(found(talks), talks.length);
      }),
    );
  });

  test("given long responses with longer pauses between them, knows none", () => {
    fc.assert(fc.property(holds, (own) => assert.is(found(tab(0, own, 500)), 0)));
  });
});
