/** As in package.json; tests/conventions.test.ts compares the two. */
export const VERSION = "0.1.0";
