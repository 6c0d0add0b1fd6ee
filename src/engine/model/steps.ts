/** Work in slices: yields after each slice, and returns the result at the end. */
export type Steps<Result> = Generator<void, Result, undefined>;

/** Runs all steps at once. `between`: called after each step. */
export function drained<Result>(steps: Steps<Result>, between: () => void = () => {}): Result {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    between();
  }
}
