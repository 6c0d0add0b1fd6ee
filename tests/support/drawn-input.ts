import * as fc from "fast-check";

/**
 * Makes fast-check draw sizes up to `maxLength`; by default it draws ten at most, so that effects of large inputs are
 * never tried. Loaded before all tests (`tests/run.ts`), because a size is fixed where it is written.
 * `WEIR_TESTS_SEED`, a 32-bit integer, repeats a run's draws; without it each run draws others.
 */
const seed = process.env["WEIR_TESTS_SEED"];
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true, ...(seed === undefined ? {} : { seed: Number(seed) }) });
