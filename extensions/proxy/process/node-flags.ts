/**
 * Flags of Node for both threads; neutralino.config.json repeats them. Default: the size in
 * MB of a semi-space for V8's short-lived objects. V8's default costs 70 MiB more after 100,000 exchanges and is not
 * faster (docs/measurements.md).
 */
export const NODE_FLAGS: readonly string[] = ["--max-semi-space-size=2"];
