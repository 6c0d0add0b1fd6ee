import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { MarkedChange, TimesChange } from "../../../../src/engine/insights/experiment/marked-change.ts";
import { markedChangeTexts } from "../../../../src/engine/insights/experiment/marked-change-text.ts";
import { describe } from "../../../support/describe.ts";

const UNITS: TimesChange = {
  kind: "faster",
  counts: { A: 14, B: 15 },
  gain: { middle: 205, low: 160, high: 250 },
  note: null,
};

const textOf = (units: Partial<TimesChange>, part: Partial<MarkedChange> = {}) =>
  markedChangeTexts(
    { units: { ...UNITS, ...units }, turns: 6, leftOut: 0, endpoints: [], prediction: null, ...part },
    { byLinks: 190, atMost: 240 },
    "load",
  ).join(" ");

describe("text of an A/B comparison", (test) => {
  test("given each kind of change, they say which is faster, by how much, and from how many units", () => {
    assert.is(textOf({}), "B is faster: 205 ms less, 160 ms to 250 ms. 14 loads of A, 15 of B.");
    assert.is(
      textOf({ kind: "slower", gain: { middle: -30, low: -50, high: -10 } }),
      "B is slower: 30 ms more, 10 ms to 50 ms. 14 loads of A, 15 of B.",
    );
    assert.is(
      textOf({ kind: "same", gain: { middle: 1, low: -9, high: 11 } }),
      "No change: 1 ms less, −9 ms to 11 ms. 14 loads of A, 15 of B.",
    );
    assert.match(
      textOf({ kind: "same", gain: { middle: 30, low: 9, high: 50 } }),
      /^B is slightly faster: 30 ms less, /,
    );
    assert.match(
      textOf({ kind: "same-median", gain: { middle: -3, low: -9, high: -1 } }),
      /^B is slightly slower: 3 ms more, 1 ms to 9 ms/,
    );
    assert.is(
      textOf({ kind: "unknown", gain: null, counts: { A: 2, B: 1 }, note: "can't tell: n = 1, about 60 needed" }),
      "Can't tell: n = 1, about 60 needed. 2 loads of A, 1 of B.",
    );
  });

  test("given a prediction, they say whether it held", () => {
    assert.match(textOf({}, { prediction: "held" }), /Predicted: 190 ms to 240 ms less\. The prediction held\.$/);
    assert.match(textOf({}, { prediction: "more" }), /It saves more than that\.$/);
    assert.match(textOf({}, { prediction: "less" }), /It saves less than that\.$/);
    assert.match(textOf({}, { prediction: "open" }), /Predicted: 190 ms to 240 ms less\.$/);
  });

  test("given fewer than four turns, the sentences ask to switch between A and B at least three times", () => {
    for (const turns of [2, 3]) assert.match(textOf({}, { turns }), /switch between A and B at least three times\.$/);
    assert.not.match(textOf({}, { turns: 4 }), /switch/);
  });

  test("given no units of one side, they say which is missing", () => {
    assert.is(textOf({ counts: { A: 3, B: 0 } }), "Only 3 loads of A, none of B yet.");
    assert.is(textOf({ counts: { A: 0, B: 1 } }), "Only 1 load of B, none of A yet.");
    assert.match(textOf({ counts: { A: 0, B: 0 } }), /^No load of A or B yet: run "weir mark A"/);
  });

  test("given any figures, no sentence has more than 20 words", () => {
    const time = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const kinds = fc.constantFrom<TimesChange["kind"]>("faster", "slower", "same", "same-median", "unknown");
    fc.assert(
      fc.property(kinds, time, time, time, fc.nat(9), (kind, middle, low, high, turns) => {
        const text = textOf({ kind, gain: { middle, low, high } }, { turns, prediction: "held" });
        for (const sentence of text.split(/\. /)) assert.ok(sentence.split(" ").length <= 20, sentence);
      }),
    );
  });
});
