/**
 * Flags of Node for both threads; neutralino.config.json repeats them. V8's own limit for short-lived objects costs
 * 70 MiB after 100,000 exchanges, and is not faster (docs/measurements.md). In MB; default; not from a specification.
 */
export const NODE_FLAGS: readonly string[] = ["--max-semi-space-size=2"];
