import type { Steps } from "../../src/engine/model/steps.ts";

/** The result of time-sliced work. */
export function resultOf<Result>(slices: Steps<Result>): Result {
  for (let step = slices.next(); ; step = slices.next()) if (step.done === true) return step.value;
}
