import { createHash } from "node:crypto";

/** Which of the ten quick loops this is, from 0 (`tests/run.ts` draws it for all its processes); `null`: `npm test`. */
const LOOP = process.env["WEIR_TESTS_LOOP"] === undefined ? null : Number(process.env["WEIR_TESTS_LOOP"]);
export const IS_QUICK = LOOP !== null;

/** The quick loop plays one round in this many. */
const SHARE = IS_QUICK ? 10 : 1;
/** With fewer rounds, a statistic would fail by chance. */
const LEAST = 3;

/** How many of `all` rounds a property or a simulation plays: all, or a part of them in the quick loop. */
export function rounds(all: number): number {
  return Math.max(Math.min(all, LEAST), Math.ceil(all / SHARE));
}

/** Whether this run plays a long test: `npm test` plays each, and each of the ten quick loops has its own. */
export function playsLong(title: string): boolean {
  return LOOP === null || hashOf(title) % SHARE === LOOP;
}

/** All of a table's cases; in the quick loop a part, and in all ten loops together each case. */
export function someOf<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => index % SHARE === (LOOP ?? 0) % Math.min(SHARE, cases.length));
}

function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE();
}
