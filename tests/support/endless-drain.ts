/** docs/specification.md: the time limit for exchanges in flight. */
const DRAIN = 3_000;

// Loaded by `node --import` before the program: the wait for exchanges in flight then has no limit.
const timer = globalThis.setTimeout;
const patient = (run: (...words: unknown[]) => void, length?: number, ...words: unknown[]) =>
  timer(length === DRAIN ? () => {} : run, length, ...words);
globalThis.setTimeout = Object.assign(patient, timer) as typeof setTimeout;
