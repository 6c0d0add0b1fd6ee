import { setTimeout as pause } from "node:timers/promises";

/** Waits at least this long: a timer counts from the start of its event-loop turn, so alone it may end early. */
export async function fullPause(length: number): Promise<void> {
  const due = performance.now() + length;
  for (let rest = length; rest > 0; rest = due - performance.now()) await pause(rest);
}
