/** Work in slices: yields after each slice, and returns the result at the end. */
export type Steps<Result> = Generator<void, Result, undefined>;

/** Milliseconds of work between two pauses: half a frame. */
const SLICE_MS = 8;

/**
 * Runs work in slices; between them the page draws and handles input. Resolves with the result, or with `null` once
 * `isWanted` returns false.
 */
export async function inSlices<Result>(steps: Steps<Result>, isWanted: () => boolean): Promise<Result | null> {
  let until = performance.now() + SLICE_MS;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (!isWanted()) return null;
    until = performance.now() + SLICE_MS;
  }
}
