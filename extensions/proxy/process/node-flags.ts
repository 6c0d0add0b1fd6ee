import { setFlagsFromString } from "node:v8";

/**
 * Flags of Node; neutralino.config.json repeats them. The size in MB of a semi-space for V8's short-lived objects: V8's
 * default costs 70 MiB more after 100,000 exchanges and is not faster (docs/measurements.md). `idle-collection.ts`
 * needs the others: `node:ffi` is experimental.
 */
export const NODE_FLAGS: readonly string[] = [
  "--max-semi-space-size=2",
  "--expose-gc",
  "--disable-warning=ExperimentalWarning",
];

/**
 * From now on, new threads have the limits that they are given (`threads.ts`). Without this, the semi-spaces of
 * `NODE_FLAGS` would limit them all; the main thread has read its flags and keeps that limit.
 */
export function limitThreadsByThemselves(): void {
  setFlagsFromString("--max-semi-space-size=0");
}

/**
 * Variables for the process that runs Node; neutralino.config.json repeats them. With a fixed threshold, GNU's C
 * library gives freed memory back to the system (mallopt(3), M_TRIM_THRESHOLD). Other C libraries ignore it.
 */
export const NODE_VARIABLES: Readonly<Record<string, string>> = { MALLOC_TRIM_THRESHOLD_: "131072" };
