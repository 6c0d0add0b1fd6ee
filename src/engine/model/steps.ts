/** Work that yields after each slice, and then returns its result. */
export type Steps<Result> = Generator<void, Result, undefined>;
