import type { Finding, FindingKind } from "../../model/finding.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";

/**
 * docs/specification.md, Gate: a finding needs `LEAST_TIME` and `LEAST_SHARE_OF_WAITING`, or `LEAST_BYTES` and
 * `LEAST_SHARE_OF_BYTES`. For kinds in `COUNTED`, `LEAST_OCCURRENCES` suffices.
 */
const LEAST_TIME: Milliseconds = 100;
const LEAST_SHARE_OF_WAITING = 0.02;
const LEAST_BYTES: Bytes = 256 * 1024;
const LEAST_SHARE_OF_BYTES = 0.05;
const LEAST_OCCURRENCES = 3;

/** Kinds whose count alone makes a finding worth reading. */
const COUNTED: ReadonlySet<FindingKind> = new Set<FindingKind>(["errors", "rate-limited", "retries"]);

/** The session's totals, to which findings are compared. */
export interface Totals {
  readonly waiting: Milliseconds;
  /** Bytes of bodies and heads, in both directions. */
  readonly bytes: Bytes;
}

/** Whether this much waiting is worth a finding. */
export function isMuchTime(time: Milliseconds, { waiting }: Totals): boolean {
  return time >= LEAST_TIME && time >= LEAST_SHARE_OF_WAITING * waiting;
}

/** Whether a finding is worth reading. */
export function passesGate({ kind, time, bytes, count }: Finding, totals: Totals): boolean {
  if (time !== null && isMuchTime(time, totals)) return true;
  if (bytes !== null && bytes >= LEAST_BYTES && bytes >= LEAST_SHARE_OF_BYTES * totals.bytes) return true;
  return COUNTED.has(kind) && count >= LEAST_OCCURRENCES;
}
