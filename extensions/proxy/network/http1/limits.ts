/** Limits of one head or trailer section; a longer one is refused with 431. */
export interface Limits {
  /** Bytes from the start line to the empty line. */
  readonly headSize: number;
  /** Header lines. */
  readonly lines: number;
}

/**
 * Default; not from a specification. Servers allow 8 KB to 256 KB, and cookies of 64 KB exist (RFC 9110, 5.4 sets no
 * limit).
 */
export const LIMITS: Limits = Object.freeze({ headSize: 128 * 1024, lines: 1_000 });
