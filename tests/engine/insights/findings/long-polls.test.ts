import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { longPollsOf } from "../../../../src/engine/insights/findings/long-polls.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, type Talk } from "../../../support/linked.ts";

/** A tab that polls: each response comes after `holds` ms, and the next request right after it. */
function tab(begin: number, holds: readonly number[], pause: number): readonly Talk[] {
  let at = begin;
  return holds.map((lasts, index) => {
    const talk: Talk = { at, lasts, target: `/poll?c=${begin}-${index}`, answer: "[]" };
    at += lasts + pause;
    return talk;
  });
}

const holds = fc.array(fc.integer({ min: 5_010, max: 30_000 }), { minLength: 3, maxLength: 6 });

const found = (talks: readonly Talk[]) =>
  longPollsOf(factsOf(talks.toSorted((one, other) => one.at - other.at)).map(({ facts }) => facts)).size;

describe("long poll detection", (test) => {
  test("given several tabs that poll at once, knows all polls", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20_000), holds), { minLength: 1, maxLength: 4 }), (tabs) => {
        const talks = tabs.flatMap(([begin, own]) => tab(begin, own, 20));
        assert.is(found(talks), talks.length);
      }),
    );
  });

  test("given long responses with longer pauses between them, detects no long poll", () => {
    fc.assert(fc.property(holds, (own) => assert.is(found(tab(0, own, 500)), 0)));
  });

  test("given polls that are held up to a fixed time and end earlier with news, detects them from 0.4 s on", () => {
    const cap = fc.integer({ min: 450, max: 4_000 });
    const plan = fc.array(fc.oneof(fc.constant(1), fc.double({ min: 0.05, max: 0.85, noNaN: true })), {
      minLength: 10,
      maxLength: 30,
    });
    fc.assert(
      fc.property(cap, plan, (longest, shares) => {
        const all = [1, 0.5, 1, 0.3, 1, 1, ...shares];
        const talks = polls(all.map((share, index) => [share * longest, share === 1 ? "[]" : `["news ${index}"]`]));
        assert.is(found(talks), talks.length);
      }),
    );
  });

  test("given polls that state what the client has read and end with news at any time, detects them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 12, maxLength: 30 }),
        (shares) => {
          const waits = [0.1, 0.1, 0.1, 0.1, 1, 1, 1, 1, ...shares];
          const told = waits.map((share, index) => [share * 4_000, `${index}`, `/poll?since=${index}`] as const);
          if (told.filter(([lasts]) => lasts <= 900).length * 8 < told.length) return;
          assert.is(found(polls(told)), told.length);
        },
      ),
    );
  });

  test("given a slow endpoint in a loop, detects no long poll", () => {
    const noise = fc.array(fc.double({ min: -1.6, max: 1.6, noNaN: true }), { minLength: 12, maxLength: 40 });
    fc.assert(
      fc.property(noise, fc.boolean(), fc.constantFrom("/slow", "/slow?since="), (normals, isNews, target) => {
        const steady = normals.map((one, index) => [600 + one, `news ${index}`, target] as const);
        assert.is(found(polls(steady)), 0);
        const noisy = normals.map((one, index) => {
          const answer = isNews ? `news ${index}` : "same";
          const cursor = target.endsWith("=") ? `${target}${index}` : target;
          return [600 * Math.exp(0.35 * one), answer, cursor] as const;
        });
        assert.is(found(polls(noisy)), 0);
      }),
    );
  });
});

/** Requests in turn, each 5 ms after the response before. */
function polls(all: readonly (readonly [lasts: number, answer: string, target?: string])[]): readonly Talk[] {
  let at = 0;
  return all.map(([lasts, answer, target = "/poll"]) => {
    const talk: Talk = { at, lasts, target, answer };
    at += lasts + 5;
    return talk;
  });
}
