/** Work in slices, one per step, then the result. */
export type Steps<Result> = Generator<void, Result, undefined>;
