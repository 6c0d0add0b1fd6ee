import * as fc from "fast-check";

/**
 * Lets fast-check draw sizes up to `maxLength`. By default it draws ten at most, and would never try large inputs.
 * Loaded before all tests (`tests/run.ts`), because a size is read when an arbitrary is made. `WEIR_TESTS_SEED`, a
 * 32-bit integer, repeats the draws of a run.
 */
const seed = process.env["WEIR_TESTS_SEED"];
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true, ...(seed === undefined ? {} : { seed: Number(seed) }) });
