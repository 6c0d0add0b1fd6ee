/** As in package.json; tests/conventions.test.ts holds the two together. */
export const VERSION = "0.1.0";
