import { setTimeout as pause } from "node:timers/promises";

/** No shorter than it says: a timer counts from when its turn of the loop began, which in a busy process is earlier. */
export async function fullPause(length: number): Promise<void> {
  const due = performance.now() + length;
  for (let rest = length; rest > 0; rest = due - performance.now()) await pause(rest);
}
