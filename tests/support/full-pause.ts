import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits at least `length` ms. A timer counts from the start of its event-loop turn, so that a timer alone may end
 * early.
 */
export async function fullPause(length: number): Promise<void> {
  const due = performance.now() + length;
  for (let rest = length; rest > 0; rest = due - performance.now()) await pause(rest);
}
