import type { Slices } from "../../src/engine/model/slices.ts";

/** What work that is done in slices comes to. */
export function resultOf<Result>(slices: Slices<Result>): Result {
  for (let step = slices.next(); ; step = slices.next()) if (step.done === true) return step.value;
}
