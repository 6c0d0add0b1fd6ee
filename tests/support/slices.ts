/** What work that is done in slices comes to. */
export function resultOf<Result>(slices: Generator<void, Result, undefined>): Result {
  for (let step = slices.next(); ; step = slices.next()) if (step.done === true) return step.value;
}
