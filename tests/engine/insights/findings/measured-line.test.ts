import * as assert from "uvu/assert";
import { MeasuredLine } from "../../../../src/engine/insights/findings/measured-line.ts";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

describe("speed of a client's line", (test) => {
  test("given bodies that share the time, all received bytes count for each", () => {
    const scene = new Scene();
    scene.ask({ at: 0, target: "/a", server: 10, bytes: 40_000, transfer: 100 });
    scene.ask({ at: 0, target: "/b", server: 60, bytes: 20_000, transfer: 100 });
    const { requests } = scene.traffic();
    const line = new MeasuredLine(requests);
    const [first, second] = requests;
    assert.is(Math.round(first === undefined ? 0 : line.during(first)), 50_000);
    assert.is(Math.round(second === undefined ? 0 : line.during(second)), 40_000);
    assert.is(Math.round(line.usualBeside(second?.endpointKey ?? "") ?? 0), 500);
  });

  test("given no other sizable body, there is no usual rate", () => {
    const scene = new Scene();
    scene.ask({ at: 0, target: "/a", bytes: 40_000, transfer: 100 });
    scene.ask({ at: 500, target: "/b", bytes: 2_000, transfer: 100 });
    const { requests } = scene.traffic();
    assert.is(new MeasuredLine(requests).usualBeside(requests[0]?.endpointKey ?? ""), null);
  });

  test("given bodies that all come slowly, the line is slow, and not if one of two comes quickly", () => {
    const rateOf = (rates: readonly number[]) => {
      const scene = new Scene();
      for (const index of times(12))
        scene.ask({
          at: index * 9_000,
          target: `/f${index}`,
          bytes: 60_000,
          transfer: 60_000 / (rates[index % rates.length] ?? 1),
        });
      return new MeasuredLine(scene.traffic().requests).slowRate();
    };
    assert.is(Math.round(rateOf([50, 70]) ?? 0), 58);
    assert.is(rateOf([20, 900]), null);
    assert.is(rateOf([2_000]), null);
  });
});
