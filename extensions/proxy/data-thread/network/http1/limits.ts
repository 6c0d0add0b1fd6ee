/** Limits of a head or a trailer section. A longer one is refused with 431. */
export interface Limits {
  /** The most bytes from the start line to the empty line. */
  readonly headSize: number;
  /** The most header lines. */
  readonly lines: number;
}

/**
 * Default (RFC 9110, 5.4, sets no limit). Servers allow heads of 8 KB to 256 KB, and some
 * cookies have 64 KB.
 */
export const LIMITS: Limits = Object.freeze({ headSize: 128 * 1024, lines: 1_000 });

/** The most interim responses to one request. */
export const MOST_INTERIM = 100;
