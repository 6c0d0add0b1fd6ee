import type { Milliseconds } from "../../src/engine/model/units.ts";

/** The CPU time that `work` takes on this thread; a stalled or busy machine adds nothing. */
export function processorTimeOf(work: () => void): Milliseconds {
  const before = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(before).user / 1_000;
}
