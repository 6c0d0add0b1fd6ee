import type { Steps } from "../../src/engine/model/steps.ts";

/** Runs time-sliced work to its end and returns the result. */
export function resultOf<Result>(slices: Steps<Result>): Result {
  for (let step = slices.next(); ; step = slices.next()) if (step.done === true) return step.value;
}
