/** decisions.md: a client that is served ends within this. */
const DRAIN = 3_000;

// Loaded by `node --import` before the program: what is in flight is waited for without end.
const timer = globalThis.setTimeout;
const patient = (run: (...words: unknown[]) => void, length?: number, ...words: unknown[]) =>
  timer(length === DRAIN ? () => {} : run, length, ...words);
globalThis.setTimeout = Object.assign(patient, timer) as typeof setTimeout;
