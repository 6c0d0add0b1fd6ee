/** A length of time, with fractions. */
export type Milliseconds = number;

/** A size. 1 KB is 1024 bytes wherever it is shown. */
export type Bytes = number;

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/**
 * Epoch milliseconds with fractions, from a monotonic clock whose origin is read once at start. Differences are valid
 * even if the wall clock changes.
 */
export type Instant = Branded<number, "Instant">;

/** Counts from 1, in the order in which request heads began to arrive. */
export type ExchangeId = Branded<number, "ExchangeId">;

/** Ends an exhaustive switch: a missing case does not compile. */
export function assertNever(value: never): never {
  throw new Error(`not a known case: ${JSON.stringify(value)}`);
}
