import type { Milliseconds } from "../../src/engine/model/units.ts";

/** What `work` takes of this thread's processor: a machine that stops meanwhile, or has others to serve, adds nothing to it. */
export function processorTimeOf(work: () => void): Milliseconds {
  const before = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(before).user / 1_000;
}
