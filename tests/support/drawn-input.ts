import * as fc from "fast-check";
import { rounds } from "./rounds.ts";

/**
 * Lets fast-check draw sizes up to `maxLength`. By default it draws ten at most, and would never try large inputs.
 * Loaded before all tests (`tests/run.ts`), because a size is read when an arbitrary is made. `WEIR_TESTS_SEED`, a
 * 32-bit integer, repeats the draws of a run.
 */
/** How often fast-check tries a property that names no number, as its own default is. */
const RUNS = 100;

const seed = process.env["WEIR_TESTS_SEED"];
fc.configureGlobal({
  defaultSizeToMaxWhenMaxSpecified: true,
  numRuns: rounds(RUNS),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
