/** Whether this is `npm run test:unit` (`tests/run.ts` sets the variable), not `npm test`. */
export const IS_QUICK = process.env["WEIR_TESTS_QUICK"] === "1";

/** The quick loop plays one round in this many. */
const SHARE = IS_QUICK ? 10 : 1;
/** Fewer rounds would not vary the input. */
const LEAST = 3;

/** How many of `all` rounds a property or a simulation plays: all, or a part of them in the quick loop. */
export function rounds(all: number): number {
  return Math.max(Math.min(all, LEAST), Math.ceil(all / SHARE));
}

/** All of a table's cases; in the quick loop a part, another one in each run. */
export function someOf<Case>(cases: readonly Case[]): readonly Case[] {
  const first = Math.floor(Math.random() * SHARE);
  return cases.filter((_, index) => index % SHARE === first % Math.min(SHARE, cases.length));
}
