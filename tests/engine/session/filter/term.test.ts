import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import {
  appliesToEndpoints,
  bodyTextsOf,
  conditionsOf,
  headersOf,
  namesFindings,
  type Term,
} from "../../../../src/engine/session/filter/term.ts";
import { describe } from "../../../support/describe.ts";

const WORDS = ["users", "host:a", "slow:", "finding:errors", "resp.x-a:1", "req.x-a:", "resp.X-A:2", "body:b"] as const;

const drawn = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 });
/** The words in groups, alternatives and negations, in their order. */
const written = (words: readonly string[], joints: readonly string[]): string =>
  words.map((word, at) => (at % 2 === 0 ? word : `-(${word} OR (${word} ${word}))`)).join(joints[words.length % 2]);

const termIn = (text: string): Term => {
  const [only, ...rest] = unwrap(filterOf(text));
  return rest.length === 0 && only !== undefined ? only : { kind: "all", of: unwrap(filterOf(text)) };
};

describe("filter terms", (test) => {
  test("given groups and alternatives, finds every condition, header and finding in them", () =>
    fc.assert(
      fc.property(drawn, (words) => {
        const filter = unwrap(filterOf(written(words, [" ", " OR "])));
        const each = words.flatMap((word, at) => (at % 2 === 0 ? [word] : [word, word, word]));
        assert.equal(
          filter.flatMap(conditionsOf),
          each.map((word) => termIn(word)),
        );
        assert.equal(bodyTextsOf(filter), words.includes("body:b") ? ["b"] : []);
        assert.is(namesFindings(filter), words.includes("finding:errors"));
        const headers = new Set(words.filter((word) => word.includes(".")).map((word) => word.slice(0, 4)));
        assert.is(headersOf(filter).length, headers.size);
      }),
    ));

  test("given groups and alternatives, applies to endpoints only if each condition does", () =>
    fc.assert(
      fc.property(drawn, (words) => {
        const isOfEndpoints = words.every((word) => word === "users" || word === "host:a");
        assert.is(appliesToEndpoints(termIn(written(words, [" ", " OR "]))), isOfEndpoints);
      }),
    ));
});
