/** Work that is done in slices: a step each, then the result. */
export type Slices<Result> = Generator<void, Result, undefined>;
