/** What one head, or one trailer section, may take; over it: 431. Other sizes of the codec follow from these. */
export interface Limits {
  /** Bytes from the start line to the empty line. */
  readonly headSize: number;
  /** Header lines. */
  readonly lines: number;
}

/** Our choice; servers differ from 8 KB to 256 KB, and cookies of 64 KB are real (RFC 9110, 5.4 leaves it open). */
export const LIMITS: Limits = Object.freeze({ headSize: 128 * 1024, lines: 1_000 });
