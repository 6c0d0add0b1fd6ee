/** Whether this is `npm run test:unit` (`tests/run.ts` sets the variable), not `npm test`. */
export const IS_QUICK = process.env["WEIR_TESTS_QUICK"] === "1";

/** The quick loop plays one round in this many. */
const SHARE = IS_QUICK ? 10 : 1;
/** With fewer rounds, a statistic would fail by chance. */
const LEAST = 3;

/** How many of `all` rounds a property or a simulation plays: all, or a part of them in the quick loop. */
export function rounds(all: number): number {
  return Math.max(Math.min(all, LEAST), Math.ceil(all / SHARE));
}

/** Whether this run plays a long test: always, or in one quick run of ten, drawn anew each time. */
export function playsLong(): boolean {
  return Math.random() * SHARE < 1;
}

/** All of a table's cases; in the quick loop a part, another one in each run. */
export function someOf<Case>(cases: readonly Case[]): readonly Case[] {
  const first = Math.floor(Math.random() * SHARE);
  return cases.filter((_, index) => index % SHARE === first % Math.min(SHARE, cases.length));
}
