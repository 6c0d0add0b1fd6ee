/** A length of time. Fractions count. */
export type Milliseconds = number;

/** A size. 1 KB is 1024 bytes wherever one is shown. */
export type Bytes = number;

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/**
 * A moment, in epoch milliseconds with fractions, read off a monotonic clock whose origin was taken once at start.
 * Two instants may be subtracted whatever the wall clock did in between.
 */
export type Instant = Branded<number, "Instant">;

/** Counts up from 1 in the order in which request heads began to arrive. */
export type ExchangeId = Branded<number, "ExchangeId">;

/** Closes a switch that only acts: a case that was forgotten does not compile. */
export function assertNever(value: never): never {
  throw new Error(`not a known case: ${JSON.stringify(value)}`);
}
