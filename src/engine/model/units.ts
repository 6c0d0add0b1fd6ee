/** A length of time; may have fractions. */
export type Milliseconds = number;

/** A size. 1 KB is 1024 bytes wherever it is shown. */
export type Bytes = number;

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/**
 * Epoch milliseconds, with fractions, from a monotonic clock whose start is set once. Differences are right even if the
 * wall clock changes.
 */
export type Instant = Branded<number, "Instant">;

/**
 * Counts from 1 over all sessions of a run, in the order in which the heads of requests began to arrive; of a HAR file,
 * the place of the entry. Stored, so that what Traffic, a report or a link names by it stays after deletions.
 */
export type ExchangeId = Branded<number, "ExchangeId">;
