import * as assert from "uvu/assert";
import type { Steps } from "../../../src/ui/state/in-slices.ts";
import { inSlices } from "../../../src/ui/state/in-slices.ts";
import { describe } from "../../support/describe.ts";

/** Work of this many steps, each longer than a slice; calls `each` before every step. */
function* work(steps: number, each: () => void): Steps<string> {
  for (let step = 0; step < steps; step += 1) {
    each();
    const until = performance.now() + 9;
    while (performance.now() < until);
    yield;
  }
  return "done";
}

describe("work in slices in the page", (test) => {
  test("given several slices, lets waiting tasks run between them and returns the result", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setTimeout(count);
    };
    let timer = setTimeout(count);
    const seen: number[] = [];
    assert.is(
      await inSlices(
        work(4, () => seen.push(turns)),
        () => true,
      ),
      "done",
    );
    clearTimeout(timer);
    assert.is(new Set(seen).size, 4, "each step came after another turn");
  });

  test("given a result that is no longer wanted, stops at the next pause", async () => {
    let steps = 0;
    const step = () => {
      steps += 1;
    };
    assert.is(await inSlices(work(9, step), () => steps < 3), null);
    assert.is(steps, 3);
  });
});
