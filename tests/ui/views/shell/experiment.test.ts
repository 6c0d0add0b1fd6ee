import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExperimentState } from "../../../../src/engine/messages/experiment-messages.ts";
import { experimentBarOf } from "../../../../src/ui/views/shell/experiment.ts";
import { describe } from "../../../support/describe.ts";

function state(change: Partial<ExperimentState> = {}): ExperimentState {
  return {
    number: 1,
    target: { method: "GET", origin: "https://api.test", path: "/v1/prices", operation: null },
    client: null,
    levels: [0, 100, 300],
    unit: "load",
    planned: 30,
    counted: 0,
    leftOut: 0,
    result: null,
    ...change,
  };
}

const VERDICT = { kind: "unknown", estimate: null, units: 0, needed: 30, shifts: [] } as const;
const LEFT_OUT = { failed: 0, reloaded: 0, "other-traffic": 0, unfinished: 0 };

describe("the bar of an experiment", (test) => {
  test("given an experiment that runs, says what is held back and how many loads count, and no figure", () =>
    fc.assert(
      fc.property(fc.nat(30), fc.nat(9), (counted, leftOut) => {
        const bar = experimentBarOf(state({ counted, leftOut }));
        assert.ok(bar?.isRunning);
        assert.ok(bar?.text.startsWith("Responses of GET api.test/v1/prices are held back on purpose: "));
        assert.ok(bar?.text.includes(`${counted} of 30 ${counted === 0 ? "loads or walks" : "loads"}`));
        assert.is(bar?.text.includes(`, ${leftOut} left out`), leftOut > 0);
      }),
    ));

  test("given its result, says the verdict, and why it ended if that was not the verdict", () => {
    const result = {
      end: "stopped",
      verdict: { ...VERDICT, leftOut: LEFT_OUT },
      text: "Can't tell: 3 loads.",
    } as const;
    const bar = experimentBarOf(state({ result }));
    assert.equal(
      [bar?.isRunning, bar?.text],
      [false, "Experiment on GET api.test/v1/prices: Stopped. Can't tell: 3 loads."],
    );
    assert.is(experimentBarOf(null), null);
  });
});
