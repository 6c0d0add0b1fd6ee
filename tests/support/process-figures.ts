import { readdirSync, readFileSync } from "node:fs";

/** Why a process cannot be measured here; `null` where it can. */
export const needsProc = process.platform === "linux" ? null : "needs /proc";

/** Resident memory of a process, in bytes. */
export function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

/** Open descriptors of a process. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
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
