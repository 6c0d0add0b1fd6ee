/** Runs time-sliced work to its end and returns the result. */
export function resultOf<Result>(slices: Generator<void, Result, undefined>): Result {
  for (let step = slices.next(); ; step = slices.next()) if (step.done === true) return step.value;
}
