/** Equals the version in package.json; tests/conventions.test.ts compares both. */
export const VERSION = "0.1.0";
