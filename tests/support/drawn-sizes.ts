import * as fc from "fast-check";

/**
 * A property that says `maxLength: 400` draws up to 400. By fast-check's own choice it would draw ten at most, and what only
 * happens to many would never be tried. Loaded before any test (`tests/run.ts`), since a size is settled where it is written.
 */
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });
