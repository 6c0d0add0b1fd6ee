import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Resources that a process has used so far. CPU in ms: of all threads, and of the first thread alone. */
export interface Cost {
  readonly cpu: number;
  readonly firstThread: number;
  /** Bytes. */
  readonly rss: number;
}

/**
 * A process is idle if it used less than `share` of a core over `interval` ms; the wait for that ends after `longest`
 * ms. Default; not from a specification.
 */
const REST = { share: 0.06, interval: 100, longest: 8_000 };

/** Reads /proc, so on Linux only: there the time is exact to the nanosecond, even for threads of another process. */
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

/** The cost before a measurement, read when the process is idle. */
export async function costBefore(pids: readonly number[]): Promise<Cost> {
  return costAtRest(pids, 2);
}

/**
 * The cost after a measurement. Deferred work (a batch, a transaction) counts, because the cost is read when the
 * process is idle again.
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

/** The largest RSS in bytes until `done` resolves. */
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

/** The first field of schedstat: nanoseconds on a CPU. A thread may end before this file is read. */
function threadTime(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

function rssOf(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1];
  return Number(pages) * 4_096;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
