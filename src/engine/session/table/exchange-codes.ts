import { MARKS, type Mark } from "../../model/annotation.ts";
import { ERROR_TYPES, type ErrorType, type Outcome, TAGS, type Tag } from "../../model/exchange.ts";
import { WAITED_FOR, type WaitedFor } from "../../model/phases.ts";

/*
 * Codes: whole numbers in columns. A code stands for `null` or for a name in a list, such as `MARKS`. A row that was
 * not written has the code 0.
 */

/** Codes of outcomes: 0 in flight; 1 responded; above: failed, as 2 plus the index of the error type. */
export const RESPONDED = 1;
const FAILED = 2;

export function outcomeCodeOf(outcome: Outcome): number {
  return outcome.kind === "responded" ? RESPONDED : FAILED + ERROR_TYPES.indexOf(outcome.errorType);
}

/** `status`: 0 stands for none. `detail`: used for failures only. */
export function outcomeOf(code: number, status: number, detail: string): Outcome | null {
  if (code === 0) return null;
  if (code === RESPONDED) return respondedWith(status);
  const errorType = ERROR_TYPES[code - FAILED] as ErrorType;
  return Object.freeze({ kind: "failed", errorType, detail, status: status === 0 ? null : status });
}

/** Outcomes of responses by status, shared because they are read so often. */
const RESPONSES = new Map<number, Outcome>();

function respondedWith(status: number): Outcome {
  const known = RESPONSES.get(status);
  if (known !== undefined) return known;
  const outcome = Object.freeze({ kind: "responded", status } as const);
  RESPONSES.set(status, outcome);
  return outcome;
}

/** The tags as bits: one bit for each of TAGS. */
export function tagBits(tags: readonly Tag[]): number {
  let bits = 0;
  for (const tag of tags) bits |= 1 << TAGS.indexOf(tag);
  return bits;
}

export function tagsOf(bits: number): readonly Tag[] {
  return Object.freeze(TAGS.filter((_, place) => (bits & (1 << place)) !== 0));
}

/** The mark's code: 0 for none, else its index in MARKS plus 1. */
export function markCodeOf(mark: Mark | null): number {
  return mark === null ? 0 : 1 + MARKS.indexOf(mark);
}

export function markOf(code: number): Mark | null {
  return MARKS[code - 1] ?? null;
}

/** The connection's code: 0 for `null`, else its number plus 1. */
export function connectionCodeOf(connection: number | null): number {
  return connection === null ? 0 : connection + 1;
}

export function connectionOf(code: number): number | null {
  return code === 0 ? null : code - 1;
}

/**
 * A code for both values. The low two bits encode `reused`: 0 for `null`, 1 for no, 2 for yes. The higher bits encode
 * `waitedFor`: 0 for `null`, else its index in WAITED_FOR plus 1.
 */
export function reuseCodeOf(reused: boolean | null, waitedFor: WaitedFor | null): number {
  const waited = waitedFor === null ? 0 : 1 + WAITED_FOR.indexOf(waitedFor);
  return 4 * waited + (reused === null ? 0 : 1 + Number(reused));
}

export function reusedOf(code: number): boolean | null {
  const reused = code % 4;
  return reused === 0 ? null : reused === 2;
}

export function waitedForOf(code: number): WaitedFor | null {
  // Tested first: a negative index is slow in V8, and most exchanges wait for nothing.
  return code < 4 ? null : (WAITED_FOR[Math.floor(code / 4) - 1] ?? null);
}
