import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { laterStartText, verdictText } from "../../../../src/engine/insights/experiment/verdict-text.ts";
import type { ExperimentVerdict } from "../../../../src/engine/model/experiment.ts";
import { describe } from "../../../support/describe.ts";

const VERDICT: ExperimentVerdict = {
  kind: "on-path",
  estimate: { slope: 0.97, low: 0.84, high: 1.1 },
  units: 30,
  needed: null,
  shifts: [0, 100, 300].map((level) => ({ level, shift: level })),
  leftOut: { failed: 0, reloaded: 0, "other-traffic": 0, unfinished: 0 },
};

describe("experiment verdict text", (test) => {
  test("given each kind of verdict, it says what each ms costs, how sure that is, and from how many units", () => {
    const rows: readonly (readonly [Partial<ExperimentVerdict>, string, string])[] = [
      [{}, "load", "On the critical path: each ms costs 0.97 ms, 0.84 to 1.10, 30 loads."],
      [
        { kind: "not-on-path", estimate: { slope: -0.002, low: -0.104, high: 0.1 } },
        "walk",
        "Nothing waits for it, with delays up to 300 ms: each ms costs 0.00 ms, −0.10 to 0.10, 30 walks.",
      ],
      [
        { kind: "partly", estimate: { slope: 0.52, low: 0.4, high: 0.64 } },
        "load",
        "Partly on the critical path: each ms costs 0.52 ms, 0.40 to 0.64, 30 loads. That is as if 40 to 64 % of the loads waited for it.",
      ],
      [
        { kind: "unknown", units: 12, needed: 30 },
        "load",
        "Can't tell: 12 loads, about 30 needed. So far each ms costs 0.97 ms, 0.84 to 1.10.",
      ],
      [{ kind: "unknown", units: 1, needed: 21, estimate: null }, "load", "Can't tell: 1 load, about 21 needed."],
    ];
    for (const [part, unit, text] of rows) assert.is(verdictText({ ...VERDICT, ...part }, unit), text);
  });

  test("given units that were left out, it says how many and why", () => {
    const leftOut = { failed: 2, reloaded: 1, "other-traffic": 0, unfinished: 1 };
    assert.match(
      verdictText({ ...VERDICT, leftOut }, "load"),
      /30 loads\. Left out: 2 loads not timed, 1 that was reloaded, 1 in an unfinished block\.$/,
    );
  });

  test("given a later request, it says whether its start moves with the delay", () => {
    const later = { endpoint: "GET /names", units: 30 };
    const { estimate } = VERDICT;
    assert.is(
      laterStartText({ ...later, kind: "follows", estimate }, "load"),
      "starts later by the delay: each ms costs 0.97 ms, 0.84 to 1.10, 30 loads",
    );
    assert.is(
      laterStartText({ ...later, kind: "independent", estimate: null }, "load"),
      "starts no later with the delay, 30 loads",
    );
    assert.is(laterStartText({ ...later, units: 3, kind: "unknown", estimate: null }, "walk"), "can't tell, 3 walks");
  });

  test("given any figures, each sentence has at most 20 words and each share is from 0 to 100 %", () => {
    const figure = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom("on-path" as const, "not-on-path" as const, "partly" as const, "unknown" as const),
        fc.tuple(figure, figure, figure),
        fc.record({ failed: fc.nat(99), reloaded: fc.nat(99), "other-traffic": fc.nat(99), unfinished: fc.nat(2) }),
        (kind, [low, slope, high], leftOut) => {
          const text = verdictText({ ...VERDICT, kind, estimate: { slope, low, high }, needed: 60, leftOut }, "load");
          for (const sentence of text.split(/[.] /)) assert.ok(sentence.split(" ").length <= 20, sentence);
          for (const [, share] of text.matchAll(/(\d+) (?:to \d+ )?%/g)) assert.ok(Number(share) <= 100, text);
        },
      ),
    );
  });
});
