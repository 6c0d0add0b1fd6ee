import * as assert from "uvu/assert";
import { valleyOf } from "../../../src/engine/stats/valley.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { lognormal, seeded } from "../../support/seeded.ts";

const drawn = (seed: number, ...modes: readonly (readonly [count: number, median: number])[]) => {
  const random = seeded(seed);
  const values = modes.flatMap(([count, median]) =>
    Array.from({ length: count }, () => lognormal(random, median, 0.3)),
  );
  return Float64Array.from(values).sort();
};

describe("valley between two modes", (test) => {
  test("given two modes, the cut lies between them, whatever their shares", () => {
    for (let seed = 1; seed <= rounds(100); seed += 1)
      for (const slow of [10, 40, 100]) {
        const valley = valleyOf(drawn(seed, [120 - slow, 40], [slow, 400]), 5);
        assert.ok(valley !== null && valley.cut > 60 && valley.cut < 280, `seed ${seed}: ${valley?.cut}`);
      }
  });

  test("given one mode, there is hardly ever one", () => {
    let found = 0;
    for (let seed = 1; seed <= rounds(200); seed += 1) if (valleyOf(drawn(seed, [120, 60]), 5) !== null) found += 1;
    assert.ok(found <= 4, `${found} of 200`);
  });

  test("given too few or equal values, there is no valley", () => {
    assert.is(valleyOf([1, 2, 3, 100, 200], 5), null);
    assert.is(valleyOf(new Float64Array(40).fill(7), 5), null);
  });

  test("given a mode with fewer values than the minimum, there is no valley", () => {
    assert.is(valleyOf(Float64Array.from([...drawn(3, [60, 50]), 5_000, 5_100]).sort(), 5), null);
  });
});
