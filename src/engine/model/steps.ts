/** Work in slices: yields after each slice, and returns the result at the end. */
export type Steps<Result> = Generator<void, Result, undefined>;
