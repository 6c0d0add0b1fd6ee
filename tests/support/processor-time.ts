import type { Milliseconds } from "../../src/engine/model/units.ts";

/** The CPU time that `work` takes on this thread; pauses of the computer do not count. */
export function processorTimeOf(work: () => void): Milliseconds {
  const before = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(before).user / 1_000;
}
