import { ERROR_TYPES, type ErrorType, type Outcome, TAGS, type Tag } from "../model/exchange.ts";

/** Codes of outcomes: 0 in flight, 1 responded, from 2 on failed with the error type of that place. */
export const RESPONDED = 1;
const FAILED = 2;

export function outcomeCodeOf(outcome: Outcome): number {
  return outcome.kind === "responded" ? RESPONDED : FAILED + ERROR_TYPES.indexOf(outcome.errorType);
}

/** `status` 0 = none; `detail` matters to a failure only. */
export function outcomeOf(code: number, status: number, detail: string): Outcome | null {
  if (code === 0) return null;
  if (code === RESPONDED) return Object.freeze({ kind: "responded", status });
  const errorType = ERROR_TYPES[code - FAILED] as ErrorType;
  return Object.freeze({ kind: "failed", errorType, detail, status: status === 0 ? null : status });
}

/** One bit for each of TAGS. */
export function tagBits(tags: readonly Tag[]): number {
  let bits = 0;
  for (const tag of tags) bits |= 1 << TAGS.indexOf(tag);
  return bits;
}

export function tagsOf(bits: number): readonly Tag[] {
  return Object.freeze(TAGS.filter((_, place) => (bits & (1 << place)) !== 0));
}
