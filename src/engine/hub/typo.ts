/** Shorter words are not corrected, since too many other words are similar. */
const SHORTEST = 4;

/**
 * The first known word that differs from `typed` by one typing error (a missing, extra, wrong or swapped letter). If
 * there is none, the first known word with a prefix that differs in this way; else `null`. The first letter must match,
 * or "jest" would become "rest".
 */
export function closestWord(typed: string, known: readonly string[]): string | null {
  if (typed.length < SHORTEST) return null;
  const lengths = [typed.length, typed.length + 1, typed.length - 1];
  const whole = known.find((word) => isOneSlip(typed, word));
  return whole ?? known.find((word) => lengths.some((length) => isOneSlip(typed, word.slice(0, length)))) ?? null;
}

function isOneSlip(typed: string, meant: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === meant[at]) at += 1;
  if (at === 0) return false;
  const [left, other] = [typed.slice(at), meant.slice(at)];
  if (left.slice(1) === other.slice(1) || left === other.slice(1) || left.slice(1) === other) return true;
  return left[0] === other[1] && left[1] === other[0] && left.slice(2) === other.slice(2);
}
