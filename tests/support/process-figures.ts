import { readdirSync, readFileSync } from "node:fs";

/** Why processes cannot be measured here; `null` if they can be. */
export const needsProc = process.platform === "linux" ? null : "needs /proc";

/** Resident memory of a process, in bytes. */
export function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

/** The number of open descriptors of a process. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The nice values of all threads of a process, the first thread first (proc_pid_stat(5), field 19). */
export function nicenessesOf(pid: number): readonly number[] {
  const others = readdirSync(`/proc/${pid}/task`).filter((thread) => thread !== String(pid));
  return [String(pid), ...others].map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    // The name is in brackets and may contain spaces; the third field follows the name.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19 - 3]);
  });
}

/** The largest resident memory, in bytes, while `body` runs. */
export async function peakRssOf(pid: number, body: () => Promise<unknown>): Promise<number> {
  let peak = rssOf(pid);
  const look = setInterval(() => {
    peak = Math.max(peak, rssOf(pid));
  }, 10);
  try {
    await body();
  } finally {
    clearInterval(look);
  }
  return Math.max(peak, rssOf(pid));
}
