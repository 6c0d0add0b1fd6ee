import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Resources that the processes have used so far. `cpu`: ms of CPU time of all threads. `firstThread`: ms of CPU time of
 * only the first thread of each process.
 */
export interface Cost {
  readonly cpu: number;
  readonly firstThread: number;
  /** Bytes. */
  readonly rss: number;
}

/**
 * Processes are idle if they use less than `share` of a core for `interval` ms. A wait for idle processes ends after
 * `longest` ms.
 */
const REST = { share: 0.06, interval: 100, longest: 8_000 };

/** Reads Linux's /proc. Its CPU times are in nanoseconds, also for threads of other processes. */
function costOf(pids: readonly number[]): Cost {
  let cpu = 0;
  let firstThread = 0;
  let rss = 0;
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const used = threadTime(pid, thread);
      cpu += used;
      if (thread === String(pid)) firstThread += used;
    }
    rss += rssOf(pid);
  }
  return { cpu, firstThread, rss };
}

/** The cost before a measurement, read when the processes are idle. */
export async function costBefore(pids: readonly number[]): Promise<Cost> {
  return costAtRest(pids, 2);
}

/**
 * The cost after a measurement, read when the processes are idle again, so that deferred work (a batch, a transaction)
 * counts.
 */
export async function costAfter(pids: readonly number[]): Promise<Cost> {
  return costAtRest(pids, 4);
}

async function costAtRest(pids: readonly number[], leastIntervals: number): Promise<Cost> {
  let cost = costOf(pids);
  for (let interval = 1; interval <= REST.longest / REST.interval; interval += 1) {
    await pause(REST.interval);
    const next = costOf(pids);
    const isQuiet = next.cpu - cost.cpu < REST.share * REST.interval;
    cost = next;
    if (isQuiet && interval >= leastIntervals) break;
  }
  return cost;
}

/** The largest RSS of all processes together, in bytes, until `done` resolves. */
export async function peakRss(pids: readonly number[], done: Promise<unknown>): Promise<number> {
  let peak = 0;
  let isDone = false;
  const finished = done.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    peak = Math.max(peak, sum(pids.map(rssOf)));
    await pause(20);
  }
  await finished;
  return peak;
}

/** Milliseconds that the thread has run, from the first field of schedstat (nanoseconds); 0 if the thread has ended. */
function threadTime(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** Bytes. */
export function rssOf(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1];
  return Number(pages) * 4_096;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
